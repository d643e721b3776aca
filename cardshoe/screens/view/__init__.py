"""A table as its log leaves it: what is on the felt and who waits for what, folded from durable lines alone."""

from cardshoe.screens.view.lines import LineFold
from cardshoe.screens.view.view import TableView

__all__ = ["LineFold", "TableView"]
