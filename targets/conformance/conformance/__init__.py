"""Shared code of the conformance programs: cases, verdicts, and ledgers."""
