"""A client of the API, for the demo and as an example: it knows HTTP, WebSockets and the proofs, and no rules."""
