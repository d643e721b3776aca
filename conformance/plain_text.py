"""Text from a device or a user, before it goes into a document."""

import re
from typing import Final

_FORBIDDEN: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""XML 1.0 cannot hold them, escaped or not."""


def clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
