"""An example of each command, for help and manual."""

from typing import Final

_PROPOSAL: Final = "9-3f9a1c2b4d5e6f70"

EXAMPLES: Final = {
    "analyse": "cardshoe analyse b-101.journal --html b-101.html",
    "campaign": "cardshoe campaign baccarat --shoes 20000 --workers 2 --out campaign",
    "capture": (
        "cardshoe capture /dev/serial/by-id/usb-FTDI_…-port0 shoe.jsonl --seconds 60\ncardshoe capture show shoe.jsonl"
    ),
    "completion install": "cardshoe completion install bash",
    "completion show": "cardshoe completion show zsh > _cardshoe",
    "config check": "cardshoe config check table.toml",
    "config example": "cardshoe config example blackjack > table.toml",
    "config show": "cardshoe config show table.toml",
    "conformance": (
        "cardshoe conformance /dev/serial/by-id/usb-FTDI_…-port0 \\\n    --family angel_eye --ask --html shoe.html"
    ),
    "demo": "cardshoe demo blackjack --rounds 5 --seed 7",
    "display": "cardshoe display table.toml",
    "doctor": "cardshoe doctor table.toml --listen 10",
    "floor alarms": "cardshoe floor alarms floor.toml",
    "floor close": 'cardshoe floor close floor.toml 7 --by "shift manager 12"',
    "floor demo": "cardshoe floor demo --tables 50 --for 300",
    "floor nats-config": (
        "cardshoe floor nats-config floor.toml --store /var/lib/nats \\\n"
        "    --certificate nats.pem --key nats.key --authority tables.pem"
    ),
    "floor persons add": 'cardshoe floor persons add floor.toml anna \\\n    --role supervisor --by "manager 12"',
    "floor persons change": 'cardshoe floor persons change floor.toml anna \\\n    --at all --by "manager 12"',
    "floor persons disable": 'cardshoe floor persons disable floor.toml bruno \\\n    --by "manager 12"',
    "floor persons history": "cardshoe floor persons history floor.toml",
    "floor persons key": "cardshoe floor persons key floor.toml",
    "floor persons list": "cardshoe floor persons list floor.toml",
    "floor persons pin": 'cardshoe floor persons pin floor.toml anna --by "manager 12"',
    "floor persons publish": 'cardshoe floor persons publish floor.toml --after 41 \\\n    --by "manager 12"',
    "floor run": "cardshoe floor run floor.toml",
    "floor watch": "cardshoe floor watch floor.toml",
    "journal backup": "cardshoe journal backup b-101.journal /media/backup/b-101.journal",
    "journal export": "cardshoe journal export b-101.journal --shoe 3 > shoe-3.jsonl",
    "journal import": "cardshoe journal import log.jsonl b-101.journal --table B-101",
    "journal pass-over": "cardshoe journal pass-over table.toml --by sara --by cara",
    "journal prove": "cardshoe journal prove b-101.journal --round 17 > round-17.json",
    "journal show": "cardshoe journal show b-101.journal",
    "key change": "cardshoe key change /etc/cardshoe/sealing.key",
    "key list": "cardshoe key list /etc/cardshoe/sealing.key",
    "key new": "cardshoe key new /etc/cardshoe/sealing.key",
    "log": (
        "cardshoe log b-101.journal --words --round 12..14\n"
        "cardshoe log --inputs --open b-101.journal > script.jsonl\ncardshoe log --follow --words table.toml"
    ),
    "persons add": "cardshoe persons add anna --role supervisor --pin-file anna.pin",
    "persons disable": "cardshoe persons disable bruno",
    "persons list": "cardshoe persons list --file /etc/cardshoe/persons.toml",
    "persons pin": "cardshoe persons pin anna",
    "ports": "cardshoe ports",
    "replay": "cardshoe replay --strict script.jsonl",
    "rules": "cardshoe rules baccarat --articles",
    "run": "cardshoe run table.toml",
    "status": "cardshoe status table.toml",
    "sim replay": "cardshoe sim replay shoe.jsonl --pty ./shoe",
    "sim angel-eye": "cardshoe sim angel-eye --pty ./shoe",
    "sim bee-tek": "cardshoe sim bee-tek --pty ./shoe --decks 6",
    "sim shuffler": "cardshoe sim shuffler --tcp 127.0.0.1:4002 --decks 1",
    "sim shuffler-dealer": "cardshoe sim shuffler-dealer --tcp 127.0.0.1:4001",
    "sim tdp-shoe": "cardshoe sim tdp-shoe --pty ./shoe --decks 6",
    "trust crl": "cardshoe trust crl --site site",
    "trust enrol admit": (
        "cardshoe trust enrol admit --site site --key anna.key --name shoe-2 \\\n"
        "    --family angel_eye --port /dev/shoe --maker Angel --model EX \\\n"
        '    --serial A-17 --reason "bought before there were certificates"'
    ),
    "trust enrol anchor": "cardshoe trust enrol anchor 1.root.json --site site --key anna.key",
    "trust enrol approve": f"cardshoe trust enrol approve {_PROPOSAL} --site site --key bruno.key",
    "trust enrol person": "cardshoe trust enrol person carla carla.pub --site site --key anna.key",
    "trust enrol propose": (
        "cardshoe trust enrol propose --site site --key anna.key --csr device.csr \\\n"
        '    --name shuffler-1 --maker Acme --model "Shuffler 9" --serial SN-1'
    ),
    "trust enrol renewal": "cardshoe trust enrol renewal --site site --key anna.key",
    "trust enrol withdraw": f"cardshoe trust enrol withdraw {_PROPOSAL} --site site --key anna.key",
    "trust firmware add": (
        'cardshoe trust firmware add repository image.bin \\\n    --maker Acme --model "Shuffler 9" --version 1.1.0'
    ),
    "trust firmware approve": "cardshoe trust firmware approve repository acme/shuffler-9/1.1.0.img",
    "trust firmware begin": (
        "cardshoe trust firmware begin repository --root r1=r1.pub --root r2=r2.pub \\\n"
        "    --publisher p.pub --regulator reg.pub \\\n"
        "    --maker Acme=a1.pub --maker Acme=a2.pub"
    ),
    "trust firmware check": "cardshoe trust firmware check 1.1.0 --site site",
    "trust firmware import": "cardshoe trust firmware import /media/stick --site site --dry-run",
    "trust firmware list": "cardshoe trust firmware list --site site",
    "trust firmware publish": "cardshoe trust firmware publish repository --key p.key",
    "trust firmware sign": "cardshoe trust firmware sign repository maker-acme --key a1.key",
    "trust firmware withdraw": "cardshoe trust firmware withdraw repository acme/shuffler-9/1.1.0.img",
    "trust host": "cardshoe trust host table-7 --site site",
    "trust init": ("cardshoe trust init site --name Casino \\\n    --person anna=anna.pub --person bruno=bruno.pub"),
    "trust key": "cardshoe trust key anna.key --name anna",
    "trust list": "cardshoe trust list --site site",
    "trust revoke": 'cardshoe trust revoke shoe-1 --site site --key bruno.key --reason "stolen"',
    "trust server": "cardshoe trust server witness --address witness.example --site site",
    "trust show": "cardshoe trust show shoe-1 --site site --pem > shoe-1.pem",
    "trust verify": "cardshoe trust verify --site site --head 41:9f2c…",
    "update authorise": f"cardshoe update authorise table.toml shoe-1 {_PROPOSAL} --key b.key",
    "update cancel": 'cardshoe update cancel table.toml shoe-1 --by anna --reason "wrong version"',
    "update run": "cardshoe update run table.toml shoe-1 --service /dev/shoe-service",
    "update stage": "cardshoe update stage table.toml shoe-1 1.1.0",
    "update status": "cardshoe update status table.toml shoe-1",
    "uplink": "cardshoe uplink table.toml",
    "usb-rules": "cardshoe usb-rules table.toml > 70-cardshoe.conf",
    "verify": "cardshoe verify b-101.journal --witness /media/witness/table.notes",
    "witness serve": "cardshoe witness serve --state /var/lib/witness --listen 127.0.0.1:8470",
    "witness trust": (
        "cardshoe witness trust --state /var/lib/witness \\\n    cardshoe/journal/3c4a…+ba4bdb22+AUSU/u…"
    ),
}
