"""A table's view, folded from durable lines alone."""

from cardshoe.screens.view.lines import LineFold
from cardshoe.screens.view.view import TableView

__all__ = ["LineFold", "TableView"]
