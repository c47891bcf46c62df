"""Measurements: ratios against peers and limits, each taken in one run on one machine."""
