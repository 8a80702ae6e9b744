"""The rules for names, which are those of motiond (the top of motion.proto)."""

from __future__ import annotations

import re

TARGET = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
PROPERTY = re.compile(r"[A-Za-z0-9_-]{1,64}")
PLUGIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")

#: The rules as remedies.
TARGET_RULE = "Use 1 to 128 of A-Z a-z 0-9 _ . : -"
PROPERTY_RULE = "Use 1 to 64 of A-Z a-z 0-9 _ -"
PLUGIN_RULE = "Use a-z or 0-9, then up to 63 of a-z 0-9 . _ -"


def is_unicode(text: str) -> bool:
    """Whether a text can be sent: half of a surrogate pair has no encoding."""
    try:
        _ = text.encode()
    except UnicodeEncodeError:
        return False
    return True
