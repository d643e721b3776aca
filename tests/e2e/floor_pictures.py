"""The pictures of docs/floor.md: ``python -m tests.e2e.floor_pictures``, of 300 tables that play; some minutes.

Needs Chromium, PostgreSQL, and `convert` of ImageMagick, which makes palettes of them.
"""

import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tests.e2e.floor_stage import floor_stage, open_page, settled
from tests.e2e.pictures import COLOURS, INTO
from tests.e2e.stage import SIZES, browser_at_work

TABLES: Final = 300
PICTURES: Final = {"floor": "/tables", "floor-report": "/report"}


def main() -> None:
    """Makes all of them anew."""
    INTO.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        floor_stage(Path(folder), TABLES) as stage,
        browser_at_work() as browser,
    ):
        for name, path in PICTURES.items():
            page, _ = open_page(browser, stage.home, path, SIZES["large"], "en")
            settled(page)
            picture = INTO / f"{name}.png"
            page.screenshot(path=picture, animations="disabled")
            palette = ["+dither", "-colors", str(COLOURS), f"PNG8:{picture}"]
            subprocess.run(["convert", picture, *palette], check=True)  # our own picture


if __name__ == "__main__":
    main()
