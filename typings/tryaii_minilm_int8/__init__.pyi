# What we use of it; it ships no types.
from pathlib import Path

def model_path() -> Path: ...
