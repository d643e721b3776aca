"""The Merkle tree of RFC 6962 section 2.1 over a journal's entries.

Each row stores the largest complete subtree that ends with its entry.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final

LEAF: Final = b"\x00"
NODE: Final = b"\x01"
HASH_BYTES: Final = 32
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()

_sha256 = hashlib.sha256


def leaf_hash(data: bytes) -> bytes:
    return _sha256(LEAF + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return _sha256(NODE + left + right).digest()


class Frontier:
    """The roots of a tree's complete subtrees, largest first: all that growth needs."""

    __slots__ = ("nodes", "size")

    def __init__(self, size: int = 0, nodes: Iterable[bytes] = ()) -> None:
        self.size = size
        self.nodes = list(nodes)
        if len(self.nodes) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} nodes at its edge, not {len(self.nodes)}")

    def copy(self) -> "Frontier":
        """An independent copy."""
        return Frontier(self.size, self.nodes)

    def add(self, leaf: bytes) -> bytes:
        """Append a leaf's hash; return the largest complete subtree that ends with it."""
        node, size = leaf, self.size
        while size & 1:
            node = _sha256(NODE + self.nodes.pop() + node).digest()
            size >>= 1
        self.nodes.append(node)
        self.size += 1
        return node

    def root(self) -> bytes:
        """The root of the tree."""
        if not self.nodes:
            return EMPTY_ROOT
        root = self.nodes[-1]
        for node in self.nodes[-2::-1]:
            root = node_hash(node, root)
        return root


def edge_rows(size: int) -> list[int]:
    rows, end = [], 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            end += 1 << level
            rows.append(end - 1)
    return rows


class StoredTree:
    def __init__(self, node: Callable[[int], bytes], leaf: Callable[[int], bytes]) -> None:
        self._node = node
        self._leaf = leaf

    def root(self, size: int) -> bytes:
        """The root over the first ``size`` leaves."""
        return self._range(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """The audit path of leaf ``index`` in a tree of ``size`` leaves (RFC 6962 section 2.1.1)."""
        if not 0 <= index < size:
            raise ValueError(f"no leaf {index} in a tree of {size}")
        path: list[bytes] = []
        start, end = 0, size
        while end - start > 1:
            middle = start + _split(end - start)
            if index < middle:
                path.append(self._range(middle, end))
                end = middle
            else:
                path.append(self._range(start, middle))
                start = middle
        return path[::-1]

    def consistency(self, first: int, second: int) -> list[bytes]:
        """The consistency proof of two sizes (RFC 6962 section 2.1.2)."""
        if not 0 < first <= second:
            raise ValueError(f"no proof from {first} leaves to {second}")
        path: list[bytes] = []
        start, end, whole = 0, second, True
        while first != end:
            middle = start + _split(end - start)
            if first <= middle:
                path.append(self._range(middle, end))
                end = middle
            else:
                path.append(self._range(start, middle))
                start, whole = middle, False
        if not whole:
            path.append(self._range(start, end))
        return path[::-1]

    def _range(self, start: int, end: int) -> bytes:
        size = end - start
        if size & (size - 1) == 0:
            return self._complete(size.bit_length() - 1, start // size)
        middle = start + _split(size)
        return node_hash(self._range(start, middle), self._range(middle, end))

    def _complete(self, level: int, index: int) -> bytes:
        if index % 2 == 0:
            return self._node((index + 1 << level) - 1)
        if level == 0:
            return self._leaf(index)
        return node_hash(self._complete(level - 1, 2 * index), self._complete(level - 1, 2 * index + 1))


def includes(index: int, size: int, leaf: bytes, path: Sequence[bytes], root: bytes) -> bool:
    """Verify an audit path (RFC 9162 section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    at, last, node = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            node = node_hash(sibling, node)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and node == root


def is_prefix(first: int, second: int, first_root: bytes, second_root: bytes, path: Sequence[bytes]) -> bool:
    """Verify a consistency proof (RFC 9162 section 2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not path and first_root == second_root
    whole = first & (first - 1) == 0
    if not whole and not path:
        return False
    nodes = iter((first_root, *path) if whole else path)
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    small = large = next(nodes)
    for node in nodes:
        if last == 0:
            return False
        if at & 1 or at == last:
            small, large = node_hash(node, small), node_hash(node, large)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            large = node_hash(large, node)
        at, last = at >> 1, last >> 1
    return last == 0 and small == first_root and large == second_root


def _split(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1
