"""Checking a record without the server: sealed (nothing was changed) and full (everything was legal and fair)."""
