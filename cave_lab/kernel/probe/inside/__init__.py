"""What runs inside the kernel: standard library only, Python 3.8 and later, joined into one text.

These files are never imported there: `cave_lab.kernel.probe.source` joins them in its `ORDER` and
leaves out docstrings, annotations and the imports between them. So every top-level name is unique
over all files, and only a file earlier in the order may be imported.
"""
