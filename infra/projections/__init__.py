"""Read models built from the log: each can be thrown away and rebuilt at any time."""
