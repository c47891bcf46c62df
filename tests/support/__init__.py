"""What tests and benches stand on: private servers, and helpers that no product code needs."""
