"""What may run: the mode's decision, advice about risks, and a gate that opens once."""
