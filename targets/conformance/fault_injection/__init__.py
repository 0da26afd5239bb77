"""Fault injection into running jobs: the faults, how they are injected, and the expected results."""
