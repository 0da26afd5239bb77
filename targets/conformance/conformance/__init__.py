"""What the engines are asked and what they answered: cases, verdicts, the ledger."""
