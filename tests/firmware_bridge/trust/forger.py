"""Whoever alters a stick: bit by bit, or field by field as somebody does it who knows the format."""

import copy
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tuf.api.metadata import Metadata, MetaFile, Snapshot, Timestamp

from firmware_bridge.trust.approved.publishing import signer_of
from tests.firmware_bridge.trust.sticks import Makers, key_from, newest, public

ROLES: Final = ("root", "timestamp", "snapshot", "targets", "maker-acme", "regulator")
LISTS: Final = ("targets", "maker-acme", "regulator")
STATES: Final = ("fresh", "one")
Json = dict[str, Any]


class Forger:
    """Alters one stick.

    Args:
        stick: a copy of the second, to be altered.
    """

    def __init__(self, sound: Path, makers: Makers, stick: Path, chance: random.Random) -> None:
        self.sound: Final = sound
        self.makers: Final = makers
        self.stick: Final = stick
        self.chance: Final = chance
        self.state = chance.choice(STATES)
        self.done = ""

    def alter(self, kind: str) -> None:
        """Alter it so that it means something else."""
        KINDS[kind](self)

    # --- bytes ------------------------------------------------------------------------------------------------------

    def flip(self) -> None:
        """One bit of a file."""

        def change(data: bytearray) -> None:
            data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)

        self._bytes(change)

    def noise(self) -> None:
        """A few bytes anywhere."""

        def change(data: bytearray) -> None:
            at = self.chance.randrange(len(data))
            data[at : at + self.chance.randint(0, 8)] = self.chance.randbytes(self.chance.randint(0, 8))

        self._bytes(change)

    def cut(self) -> None:
        """The end of a file is missing."""
        self._bytes(lambda data: data.__delitem__(slice(self.chance.randrange(len(data)), None)))

    def grow(self) -> None:
        """A file has more behind its end."""
        self._bytes(lambda data: data.extend(self.chance.randbytes(self.chance.randint(1, 64))))

    def missing(self) -> None:
        """A file is not there."""
        path = self._any_file()
        path.unlink()
        self.done = path.name

    def exchanged(self) -> None:
        """Two files have each other's names."""
        first, second = self.chance.sample(self._files(), 2)
        one, other = first.read_bytes(), second.read_bytes()
        first.write_bytes(other)
        second.write_bytes(one)
        self.done = f"{first.name} and {second.name}"

    def of_strangers(self) -> None:
        """A file is that of strangers who use the same names."""
        role = self.chance.choice(ROLES)
        path = newest(self.stick, role)
        shutil.copyfile(newest(self.sound / "other", role), path)
        self._repin(role)
        self.done = path.name

    def of_another_version(self) -> None:
        """A file is that of the first stick; in a site that knows the second, it may be the timestamp as well."""
        role = self.chance.choice(ROLES[1:])
        if role == "timestamp":
            self.state = "two"
        shutil.copyfile(newest(self.sound / "one", role), newest(self.stick, role))
        self.done = role

    def of_another_image(self) -> None:
        """An image has the content of another."""
        images = sorted(self.stick.glob("targets/*/*/*.img"))
        self.state = "fresh"
        to, content = self.chance.sample(images, 2)
        shutil.copyfile(content, to)
        self.done = to.name

    # --- fields -----------------------------------------------------------------------------------------------------

    def field(self) -> None:
        """Any one value of the signed part."""
        self._json(self._change_any)

    def version(self) -> None:
        """Another version number."""

        def change(said: Json) -> None:
            said["version"] += self.chance.choice([-2, -1, 1, 2, 1000])

        self._json(change)

    def expiry(self) -> None:
        """It holds longer, or has ended."""

        def change(said: Json) -> None:
            said["expires"] = f"{self.chance.choice([2020, 2030, 2099])}{said['expires'][4:]}"

        self._json(change)

    def pinned(self) -> None:
        """Another length, hash or version in what binds the other files."""

        def change(said: Json) -> None:
            meta = said["meta"][self.chance.choice(sorted(said["meta"]))]
            match self.chance.choice(["length", "hash", "version", "unbound"]):
                case "length":
                    meta["length"] = max(1, meta["length"] + self.chance.choice([-1, 1, 1 << 40]))
                case "hash":
                    meta["hashes"]["sha256"] = self.chance.randbytes(32).hex()
                case "version":
                    meta["version"] += self.chance.choice([-1, 1]) if meta["version"] > 1 else 1
                case _:
                    del meta["hashes"]

        self._json(change, self.chance.choice(["timestamp", "snapshot"]))

    def target(self) -> None:
        """A firmware's facts: length, hash, version, counter, digest, place; or one more firmware."""

        def change(said: Json) -> None:
            targets: Json = said["targets"]
            path = self.chance.choice(sorted(targets))
            one = targets[path]
            match self.chance.choice(["length", "hash", "counter", "digest", "path", "more", "less"]):
                case "length":
                    one["length"] += self.chance.choice([-1, 1])
                case "hash":
                    one["hashes"]["sha256"] = self.chance.randbytes(32).hex()
                case "counter":
                    one["custom"]["security_counter"] += 1
                case "digest":
                    one["custom"]["image_digest"] = self.chance.randbytes(32).hex()
                case "path":
                    targets[path.replace("acme", "bolt")] = targets.pop(path)
                case "more":
                    targets[path.replace("1.", "7.")] = copy.deepcopy(one)
                case _:
                    del targets[path]

        self._json(change, self.chance.choice(["maker-acme", "regulator"]))

    def keys(self) -> None:
        """Who may sign: a key exchanged, added, taken out; a threshold lowered."""
        role = self.chance.choice(["root", "targets"])

        def change(said: Json) -> None:
            holder: Json = said if role == "root" else said["delegations"]
            held, roles = holder["keys"], holder["roles"]
            one = roles[self.chance.choice(sorted(roles))] if role == "root" else self.chance.choice(roles)
            keyid = self.chance.choice(sorted(held))
            match self.chance.choice(["value", "swap", "add", "drop", "threshold"]):
                case "value":
                    held[keyid]["keyval"]["public"] = _hex_of(key_from("stranger-root-1"))
                case "swap":
                    other = self.chance.choice([k for k in sorted(held) if k != keyid])
                    held[keyid]["keyval"], held[other]["keyval"] = held[other]["keyval"], held[keyid]["keyval"]
                case "add":
                    held["aa" * 32] = {**held[keyid], "keyval": {"public": _hex_of(key_from("stranger-root-1"))}}
                    one["keyids"].append("aa" * 32)
                case "drop":
                    one["keyids"].pop()
                case _:
                    one["threshold"] += self.chance.choice([-1, 1])

        self._json(change, role)

    # --- signatures -------------------------------------------------------------------------------------------------

    def signature(self) -> None:
        """A signature is dropped, doubled, emptied, another file's, under another key's name, or written otherwise."""
        role = self.chance.choice(ROLES)
        other = self.chance.choice([one for one in ROLES if one != role])
        what = self.chance.choice(["drop", "double", "empty", "move", "rename", "capitals", "bits", "beside"])

        def change(whole: Json) -> None:
            signatures = whole["signatures"]
            at = self.chance.randrange(len(signatures))
            one = signatures[at]
            foreign = json.loads(newest(self.sound / "two", other).read_bytes())["signatures"][0]
            match what:
                case "drop":
                    del signatures[at]
                case "double":
                    signatures.append(dict(one))
                case "empty":
                    one["sig"] = self.chance.choice(["", "00" * 64])
                case "move":
                    one["sig"] = foreign["sig"]
                case "rename":
                    one["keyid"] = foreign["keyid"] if foreign["keyid"] != one["keyid"] else "bb" * 32
                case "capitals":
                    one["sig"] = one["sig"].upper()
                case "bits":
                    raw = bytearray.fromhex(one["sig"])
                    raw[self.chance.randrange(64)] ^= 1 << self.chance.randrange(8)
                    one["sig"] = raw.hex()
                case _:
                    signatures.append({**foreign, "keyid": "cc" * 32})

        self._whole(role, change)
        self.done = f"{what} {role}"

    def resigned(self) -> None:
        """Strangers, or too few of those who may, sign what they have altered."""
        role = self.chance.choice(["root", *LISTS])
        makers = self.makers
        strangers = [key_from(f"stranger-{n}") for n in range(3)]
        few = {"maker-acme": makers.acme[:1], "regulator": makers.acme[:2]}.get(role, makers.root[:1])
        signers = self.chance.choice([strangers, few, [*few, *strangers]])

        def change(whole: Json) -> None:
            if self.chance.random() < 0.5:
                self._change_any(whole["signed"])
            else:
                whole["signed"]["expires"] = "2099-01-01T00:00:00Z"
            metadata = Metadata[Any].from_dict(copy.deepcopy({**whole, "signatures": []}))
            ids = [one["keyid"] for one in whole["signatures"]]
            whole["signatures"].clear()
            for index, key in enumerate(signers):
                made = metadata.sign(signer_of(key), append=True)
                # Under its own name, or under that of a key that counts.
                keyid = ids[index % len(ids)] if key in strangers and self.chance.random() < 0.5 else made.keyid
                if keyid not in {one["keyid"] for one in whole["signatures"]}:
                    whole["signatures"].append({"keyid": keyid, "sig": made.signature})

        try:
            self._whole(role, change)
        except Exception:  # noqa: BLE001  what was altered is no metadata any more, and cannot be signed by our tools
            self._whole(role, lambda whole: whole["signatures"].clear())
        self.done = role

    def beside(self) -> None:
        """Something beside what is signed."""
        role = self.chance.choice(ROLES)

        def change(whole: Json) -> None:
            holder = self.chance.choice([whole, whole["signatures"][0]])
            holder[self.chance.choice(["note", "x", "signed "])] = self.chance.choice([1, "x", None, [], {}])

        self._whole(role, change)
        self.done = role

    # --- tools ------------------------------------------------------------------------------------------------------

    def _files(self) -> list[Path]:
        images = sorted(self.stick.glob("targets/*/*/*.img"))
        if self.state != "fresh":
            images = [one for one in images if "1.1.0" in one.name]
        return [self.stick / "metadata" / "1.root.json", *(newest(self.stick, role) for role in ROLES), *images]

    def _any_file(self) -> Path:
        return self.chance.choice(self._files())

    def _bytes(self, change: Callable[[bytearray], object]) -> None:
        path = self._any_file()
        before = path.read_bytes()
        while True:
            data = bytearray(before)
            change(data)
            if _meaning(bytes(data), path) != _meaning(before, path):
                break
        path.write_bytes(data)
        role = path.name.removesuffix(".json").rpartition(".")[2]
        self._repin(role if path.suffix == ".json" else "")
        self.done = path.name

    def _json(self, change: Callable[[Json], object], role: str | None = None) -> None:
        role = role or self.chance.choice(ROLES)
        self._whole(role, lambda whole: change(whole["signed"]))
        self.done = role

    def _whole(self, role: str, change: Callable[[Json], object]) -> None:
        path = newest(self.stick, role)
        before = path.read_bytes()
        while True:
            whole = json.loads(before)
            change(whole)
            data = json.dumps(whole).encode()
            if _meaning(data, path) != _meaning(before, path):
                break
        path.write_bytes(data)
        self._repin(role)

    def _change_any(self, said: Json) -> None:
        places: list[tuple[Any, Any]] = []

        def walk(node: Any) -> None:  # noqa: ANN401  JSON
            for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
                places.append((node, key))
                if isinstance(value, dict | list):
                    walk(value)

        walk(said)
        node, key = self.chance.choice(places)
        value = node[key]
        new: list[Any] = [None, [], {}, "", 0, 1, -1, 1 << 70, "x", True, 1.5]
        if isinstance(value, str):
            new += [value.upper(), value + " ", value[:-1]]
        elif isinstance(value, int):
            new += [value + 1, value - 1, str(value)]
        if self.chance.random() < 0.2:
            del node[key]
        else:
            node[key] = self.chance.choice([one for one in new if _canonical(one) != _canonical(value)])

    def _repin(self, role: str) -> None:
        if role not in LISTS or self.chance.random() < 0.5:
            return
        publisher = signer_of(self.makers.publisher)
        folder, data = self.stick / "metadata", newest(self.stick, role).read_bytes()
        snapshot = Metadata[Snapshot].from_bytes(newest(self.stick, "snapshot").read_bytes())
        version = snapshot.signed.meta[f"{role}.json"].version
        snapshot.signed.meta[f"{role}.json"] = MetaFile.from_data(version, data, ["sha256"])
        snapshot.signed.version += 1
        snapshot.sign(publisher)
        bound = snapshot.to_bytes()
        (folder / f"{snapshot.signed.version}.snapshot.json").write_bytes(bound)
        timestamp = Metadata[Timestamp].from_bytes((folder / "timestamp.json").read_bytes())
        timestamp.signed.version += 1
        timestamp.signed.snapshot_meta = MetaFile.from_data(snapshot.signed.version, bound, ["sha256"])
        timestamp.sign(publisher)
        (folder / "timestamp.json").write_bytes(timestamp.to_bytes())


KINDS: Final[dict[str, Callable[[Forger], None]]] = {
    one.__name__: one
    for one in (
        Forger.flip, Forger.noise, Forger.cut, Forger.grow, Forger.missing, Forger.exchanged, Forger.of_strangers,
        Forger.of_another_version, Forger.of_another_image, Forger.field, Forger.version, Forger.expiry, Forger.pinned,
        Forger.target, Forger.keys, Forger.signature, Forger.resigned, Forger.beside,
    )
}  # fmt: skip


def _meaning(data: bytes, path: Path) -> bytes:
    if path.suffix != ".json" or path.name == "1.root.json":
        return data
    try:
        return _canonical(json.loads(data))
    except ValueError:
        return data


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def _hex_of(key: Any) -> str:  # noqa: ANN401  a key with a name
    return public(key).public_bytes_raw().hex()  # type: ignore[union-attr]  # all keys here are Ed25519
