"""The shapes of secrets as one would write them down, slow to look for: what the fast ones mean."""

import re

from cave_lab.privacy.redact import MASK

SHAPES = (
    r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bgithub_pat_[A-Za-z0-9_]{20,}",
    r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"\bAIza[0-9A-Za-z_-]{30,}",
    r"\bhf_[A-Za-z0-9]{20,}",
    r"\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{5,2000}",
    r"(?s)-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.{0,7000}?-----END [A-Z ]{0,40}PRIVATE KEY-----",
)
_ASSIGNED = (
    r"""(?i)((?:api_?key|token|secret|passw(?:or)?d|credential)\w{0,40}\s{0,20}[=:]\s{0,20})"""
    r"""(["'])(?:(?!\2).){4,4000}\2"""
)
KEPT_IN_PART = (
    (r"(\bBearer\s{1,20})[A-Za-z0-9._~+/=-]{8,}", rf"\1{MASK}"),
    (
        r"(\bBasic\s{1,20}(?![A-Za-z][a-z]{7,23}(?![\w~+/=-])))[A-Za-z0-9._~+/=-]{8,}",
        rf"\1{MASK}",
    ),
    (r"(://)[^\s/@:]{0,256}:[^\s/@]{1,256}@", rf"\1{MASK}@"),
    (_ASSIGNED, rf"\1\2{MASK}\2"),
)


def plainly_redacted(text: str) -> str:
    """Mask the shapes; the environment's values are not known here."""
    for shape in SHAPES:
        text = re.sub(shape, MASK, text)
    for shape, masked in KEPT_IN_PART:
        text = re.sub(shape, masked, text)
    return text
