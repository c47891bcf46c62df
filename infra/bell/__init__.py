"""The bell: tells every process that a match has a new commit, so that watchers need not wait for their next look."""
