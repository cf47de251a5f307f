"""Everything over HTTP: what `prowess serve` offers."""
