"""The tree of RFC 6962 as its text defines it, recursively over all leaves: slow, and nothing of it is ours."""

import hashlib


def mth(leaves: list[bytes]) -> bytes:
    """Section 2.1: MTH(D[n])."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = power_below(len(leaves))
    return hashlib.sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    """Section 2.1.1: PATH(m, D[n])."""
    if len(leaves) == 1:
        return []
    k = power_below(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def proof(m: int, leaves: list[bytes]) -> list[bytes]:
    """Section 2.1.2: PROOF(m, D[n])."""
    return subproof(m, leaves, known=True)


def subproof(m: int, leaves: list[bytes], *, known: bool) -> list[bytes]:
    """Section 2.1.2: SUBPROOF(m, D[n], b)."""
    if m == len(leaves):
        return [] if known else [mth(leaves)]
    k = power_below(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], known=known), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], known=False), mth(leaves[:k])]


def power_below(n: int) -> int:
    """The largest power of two smaller than n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k
