"""From articles to the rules that enforce them."""

from collections.abc import Sequence

from msgspec import Struct

from regulations.play.context.game import Game


class TracedArticle(Struct, frozen=True, kw_only=True):
    article: str
    text: str | None
    rules: Sequence[str]
    not_enforced: str | None = None


def matrix(game: Game) -> list[TracedArticle]:
    citing: dict[str, list[str]] = {}
    for rule in game.rulebook.rules:
        for article in dict.fromkeys((rule.article, *rule.also)):
            citing.setdefault(article, []).append(game.rulebook.name_of(rule))
    texts = {**game.articles, **{name: one.says for name, one in game.readings.items()}}
    known = dict.fromkeys((*texts, *citing))
    listed = [article for article in known if article in game.articles or article in citing]
    return [
        *(
            TracedArticle(
                article=one, text=texts.get(one), rules=citing.get(one, ()), not_enforced=game.not_enforced.get(one)
            )
            for one in listed
        ),
        *(
            TracedArticle(article=one, text=None, rules=(), not_enforced=reason)
            for one, reason in game.not_enforced.items()
            if one not in listed
        ),
    ]
