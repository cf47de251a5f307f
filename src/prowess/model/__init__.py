"""The frozen values that everything above is made of."""
