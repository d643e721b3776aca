"""Server addresses in a configuration."""

from urllib.parse import urlsplit


def host_and_port(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname or not parts.port or parts.netloc != text or "@" in text:
        raise ValueError(f"{text!r} is not of the form HOST:PORT")
    return parts.hostname, parts.port
