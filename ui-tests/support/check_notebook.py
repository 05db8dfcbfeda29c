"""Print what is wrong with a saved notebook by nbformat's own rules, as a JSON list of sentences.

Argument: the file.
"""

import json
import sys
import warnings
from pathlib import Path

import nbformat

wrong: list[str] = []
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    try:
        notebook = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        nbformat.validate(notebook)
        nbformat.read(sys.argv[1], as_version=nbformat.NO_CONVERT)
    except (ValueError, nbformat.ValidationError) as error:
        wrong.append(str(error))
wrong += [str(warning.message) for warning in caught]
json.dump(wrong, sys.stdout)
