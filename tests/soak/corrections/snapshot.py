"""A comparison of two tables, but for cards that one of them has not burned yet."""

from collections import Counter

from msgspec import UNSET, structs

from regulations.events.outputs import Next
from tests.soak.corrections.fresh import Dealt
from tests.soak.corrections.past import Heard


def _asked(prompt: Next) -> Next:
    return structs.replace(prompt, seq=UNSET, at=UNSET, round=UNSET, article=UNSET, cut_card=UNSET)


def _states(table: Heard) -> tuple[str, ...]:
    more = table.procedure._context.deal.options.get("after_cut_card") == "one_more"  # noqa: SLF001  compared from within
    return tuple("next_last" if more and one == "one_more" else one for one in table.procedure.states)


def compare(live: Heard, dealt: Dealt) -> None:
    """Compare what must be equal, one after the other.

    Raises:
        AssertionError: something is not: what.
    """
    fresh, burned, kept = dealt.table, len(dealt.burned), len(dealt.kept)
    late = [left.card for left in (*dealt.burned, *dealt.kept) if left.is_known]
    pairs = {
        "prompt": (_asked(live.prompt), _asked(fresh.prompt)),
        "states": (_states(live), _states(fresh)),
        "hands": (live.layout(), fresh.layout()),
        "result": (live.books.result, fresh.books.result),
        "settled": (sorted(map(repr, live.books.settled)), sorted(map(repr, fresh.books.settled))),
        "returned": (live.books.returned, fresh.books.returned),
        "cards out": (live.out(), fresh.out() + Counter(late)),
        "number out": (live.out_total, fresh.out_total + burned + kept),
        "burned": (live.books.burned, fresh.books.burned + burned),
    }
    for what, (got, wanted) in pairs.items():
        assert got == wanted, f"{what}: {got} and not {wanted}"
