"""The event store: append and read, one adapter for each engine."""
