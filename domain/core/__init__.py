"""What every game stands on: the game record, the table around it, chance, secrecy, digests, replay."""
