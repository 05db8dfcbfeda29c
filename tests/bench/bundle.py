"""The size of the front end that a browser loads.

`python -m tests.bench.bundle`, after `jlpm build:prod`
"""

import gzip
from pathlib import Path

STATIC = Path(__file__).parents[2] / "cave_lab" / "labextension" / "static"


def main() -> None:
    """Print the sum of all scripts, plain and gzipped."""
    files = sorted(STATIC.glob("*.js"))
    plain = sum(file.stat().st_size for file in files)
    packed = sum(len(gzip.compress(file.read_bytes())) for file in files)
    print(f"bundle   {plain / 1e3:.0f} kB   gzipped {packed / 1e3:.0f} kB   files {len(files)}")


if __name__ == "__main__":
    main()
