"""In which partition of the log a match is: fixed when it is opened, and kept even if the number changes later."""

from zlib import crc32

import msgspec

SLOTS = 1024
"""Matches are hashed to slots, and slots are dealt to partitions (or, one day, to databases)."""


class Partitions(msgspec.Struct, frozen=True):
    """How many partitions the log has for new matches."""

    count: int = 1

    def of(self, match: str) -> int:
        """The partition of a new match."""
        return crc32(match.encode()) % SLOTS % self.count
