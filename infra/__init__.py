"""One adapter per outside thing: store, bell, vault, clock, signing."""
