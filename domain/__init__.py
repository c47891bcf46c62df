"""The rules of play: pure functions over frozen values."""
