"""Text from a device or a user, before it goes into a document."""

import re
from typing import Final

_FORBIDDEN: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, escaped or not; HTML has no use for them either."""


def clean(text: str) -> str:
    """Return the text with U+FFFD in place of what no document can hold."""
    return _FORBIDDEN.sub("\ufffd", text)
