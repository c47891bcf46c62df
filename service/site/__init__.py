"""What a server shows beside its API: the start page, health, readiness, metrics, its public keys."""
