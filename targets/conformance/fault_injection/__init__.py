"""Faults dealt to jobs that run: what they are, how they are dealt, and what must be seen."""
