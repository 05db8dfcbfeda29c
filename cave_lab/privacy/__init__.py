"""What may leave the machine: modes, redaction and the stripping of controls, all pure."""
