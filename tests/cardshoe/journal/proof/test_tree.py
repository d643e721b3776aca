"""The tree against the published vectors, and against the RFC's own recursive definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardshoe.journal.proof.tree import Frontier, StoredTree, edge_rows, includes, is_prefix, leaf_hash
from tests.cardshoe.journal import rfc6962

# The inputs and roots of the reference tests of certificate-transparency (merkletree/merkle_tree_test.cc).
VECTOR = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def grown(leaves: list[bytes]) -> tuple[Frontier, StoredTree]:
    edge = Frontier()
    rows = [edge.add(leaf_hash(leaf)) for leaf in leaves]
    return edge, StoredTree(rows.__getitem__, lambda index: leaf_hash(leaves[index]))


@pytest.mark.parametrize("size", range(9))
def test_the_published_roots(size: int) -> None:
    edge, stored = grown(VECTOR[:size])
    assert edge.root().hex() == ROOTS[size]
    assert stored.root(size).hex() == ROOTS[size]
    assert rfc6962.mth(VECTOR[:size]).hex() == ROOTS[size]


leaves_of = st.lists(st.binary(max_size=6), min_size=1, max_size=70)


@given(leaves=leaves_of, data=st.data())
def test_roots_edges_and_proofs_are_those_of_the_rfc(leaves: list[bytes], data: st.DataObject) -> None:
    second = data.draw(st.integers(1, len(leaves)))
    first = data.draw(st.integers(1, second))
    index = data.draw(st.integers(0, second - 1))
    _, stored = grown(leaves)  # larger than what is asked about: proofs are about the past too
    small, large = rfc6962.mth(leaves[:first]), rfc6962.mth(leaves[:second])
    assert stored.root(second) == large
    edge = Frontier(second, [stored._node(row) for row in edge_rows(second)])  # noqa: SLF001  # what a journal reads back
    assert edge.root() == large
    path = stored.inclusion(index, second)
    assert path == rfc6962.path(index, leaves[:second])
    assert includes(index, second, leaf_hash(leaves[index]), path, large)
    proof = stored.consistency(first, second)
    assert proof == rfc6962.proof(first, leaves[:second])
    assert is_prefix(first, second, small, large, proof)


@pytest.mark.parametrize("size", range(1, 20))
def test_a_proof_that_was_altered_proves_nothing(size: int) -> None:
    leaves = [bytes([n]) for n in range(size)]
    edge, stored = grown(leaves)
    root = edge.root()
    for index in range(size):
        leaf, path = leaf_hash(leaves[index]), stored.inclusion(index, size)
        wrong = [[*path, root], path[:-1] if path else [root], *(_with_bit(path, at) for at in range(len(path)))]
        assert not any(includes(index, size, leaf, one, root) for one in wrong)
        assert not any(includes(other, size, leaf, path, root) for other in range(-1, size + 2) if other != index)
        assert not includes(index, size, leaf_hash(b"other"), path, root)
    for first in range(1, size + 1):
        small, proof = rfc6962.mth(leaves[:first]), stored.consistency(first, size)
        wrong = [[*proof, root], proof[:-1] if proof else [root], *(_with_bit(proof, at) for at in range(len(proof)))]
        assert not any(is_prefix(first, size, small, root, one) for one in wrong)
        assert not is_prefix(first, size, leaf_hash(b"x"), root, proof)
        assert not is_prefix(first, size, small, leaf_hash(b"x"), proof)
    assert not is_prefix(0, size, root, root, [])
    assert not is_prefix(size + 1, size, root, root, [])


def _with_bit(path: list[bytes], at: int) -> list[bytes]:
    return [bytes([node[0] ^ 1]) + node[1:] if n == at else node for n, node in enumerate(path)]


def test_what_is_not_there_has_no_proof() -> None:
    _, stored = grown([b"a", b"b"])
    for index, size in ((2, 2), (-1, 2)):
        with pytest.raises(ValueError, match="no leaf"):
            stored.inclusion(index, size)
    for first, second in ((0, 2), (3, 2)):
        with pytest.raises(ValueError, match="no proof"):
            stored.consistency(first, second)
    with pytest.raises(ValueError, match="nodes at its edge"):
        Frontier(3, [b""])
