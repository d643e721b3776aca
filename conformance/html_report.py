"""A run as one HTML page without script, picture or second file."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape as escaped
from pathlib import Path
from typing import Final

from conformance.check_result import CheckResult, CheckStatus, FaceReading
from conformance.faces import RANKS, SUITS
from conformance.plain_text import clean
from conformance.runner import STARTED_AT, ConformanceReport
from drivers.link_health import ADVICE, LinkStage

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre { font-family: ui-monospace, monospace; font-size: .85rem; }
pre { overflow-x: auto; background: #8882; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict { font-weight: 600; white-space: nowrap; }
.passed { color: #1a7f37; } .failed, .error { color: #cf222e; } .skipped { color: #9a6700; }
@media (prefers-color-scheme: dark) {
.passed { color: #3fb950; } .failed, .error { color: #ff7b72; } .skipped { color: #d29922; }
}
td code { overflow-wrap: anywhere; }
table.faces { table-layout: fixed; }
table.faces td { text-align: center; white-space: nowrap; padding: .3rem 0; }
table.faces td.failed { background: #cf222e22; }
ol.ladder { list-style: none; padding: 0; display: flex; gap: .5rem; flex-wrap: wrap; }
ol.ladder li { border: 1px solid #8888; border-radius: .3rem; padding: .1rem .6rem; opacity: .5; }
ol.ladder li.reached { opacity: 1; border-color: #1a7f37; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
""".strip()


def escape(text: str) -> str:
    return escaped(clean(text))


_SIGNS: Final = {CheckStatus.PASSED: "✓", CheckStatus.FAILED: "✗", CheckStatus.SKIPPED: "–", CheckStatus.ERROR: "!"}


def html_page(report: ConformanceReport) -> str:
    """Everything from the device or the user is escaped."""
    return "\n".join(_lines(report)) + "\n"


def write_html(report: ConformanceReport, path: Path) -> None:
    with path.open("x", encoding="utf-8") as file:
        file.write(html_page(report))


def _lines(report: ConformanceReport) -> Iterator[str]:
    title = f"Conformance of {report.family} at {report.port}"
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>"
    yield f"<style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(title)}</h1>"
    yield f"<p>{_summary(report)}: {len(report.results)} of {report.total} tried</p>"
    if report.ended:
        yield f'<p class="verdict error">Ended early: {escape(report.ended)}</p>'
    yield "<h2>Device</h2>"
    yield _list(report.identity or {"identity": "the device said nothing of itself"})
    yield "<h2>Run</h2>"
    yield _list(
        {
            "started": report.about.get(STARTED_AT, report.started),
            "took": f"{report.duration_s:.1f} s",
            "page": report.page,
            "seed": str(report.seed),
            "moved by": report.helper,
            "suite": report.suite,
            **({"signed by": report.signer} if report.signer else {}),
            **{name: value for name, value in report.about.items() if name != STARTED_AT},
        }
    )
    yield "<h2>Line</h2>"
    yield from _ladder(report.link.get("rung", ""))
    yield _list(report.link)
    for result in report.results:
        yield from _faces(result)
    if report.history:
        yield "<h2>Earlier runs of this device</h2>"
        yield _items(report.history)
        yield "<p>Changed since the last:</p>"
        yield _items(report.changes or ["nothing"])
    failures = [result for result in report.results if result.verdict in {CheckStatus.FAILED, CheckStatus.ERROR}]
    if failures:
        yield "<h2>What failed</h2>"
        for result in failures:
            yield from _failure(result)
    if report.stderr:
        yield "<h2>Standard error of the device</h2>"
        yield f"<pre>{escape(chr(10).join(report.stderr))}</pre>"
    yield "<h2>All checks</h2>"
    yield "<table><thead><tr><th>Verdict</th><th>Check</th><th>Section</th><th>Seconds</th></tr></thead><tbody>"
    for result in report.results:
        yield _row(result)
    yield "</tbody></table></body></html>"


def _summary(report: ConformanceReport) -> str:
    counts = [
        f'<span class="verdict {verdict.value}">{report.count(verdict)} {verdict.value}</span>'
        for verdict in CheckStatus
    ]
    return ", ".join(counts)


def _list(values: Mapping[str, str]) -> str:
    return (
        "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in values.items()) + "</dl>"
    )


def _ladder(reached: str) -> Iterator[str]:
    names = [rung.name.lower() for rung in LinkStage]
    height = names.index(reached) if reached in names else -1
    yield '<ol class="ladder">'
    for at, name in enumerate(names):
        yield f"<li{' class=' + chr(34) + 'reached' + chr(34) if at <= height else ''}>{escape(name)}</li>"
    yield "</ol>"
    if height >= 0:
        yield f"<p>{escape(ADVICE[LinkStage(height)])}</p>"


def _failure(result: CheckResult) -> Iterator[str]:
    yield f'<h3 id="{escape(result.name)}"><code>{escape(result.name)}</code></h3>'
    yield _list(
        {
            "requirement": result.requirement,
            "section": result.section,
            "expected": result.expected or "that it could be tried",
            "got": result.got,
            "look at": result.look_at or "the line, and this program",
            **{f"observed {number}": what for number, what in enumerate(result.observed, start=1)},
        }
    )
    if result.raw:
        yield f"<p>Bytes in question:</p><pre>{escape(result.raw.hex(' ').upper())}</pre>"
    if result.frames:
        yield "<p>Frames around it (seconds, &lt; from the device, &gt; to it):</p>"
        yield f"<pre>{escape(chr(10).join(result.frames))}</pre>"
    if result.tape:
        yield "<p>Last on the line (seconds, &lt; from the device, &gt; to it):</p>"
        yield f"<pre>{escape(chr(10).join(result.tape))}</pre>"


def _items(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _faces(result: CheckResult) -> Iterator[str]:
    if not result.faces:
        return
    right = sum(one.is_right for one in result.faces)
    yield f"<h2>Faces read: {right} of {len(result.faces)} (<code>{escape(result.name)}</code>)</h2>"
    yield '<table class="faces"><tbody>'
    found = {one.face: one for one in result.faces}
    for suit in SUITS:
        yield "<tr>" + "".join(_face(one) for rank in RANKS if (one := found.get(f"{rank}{suit}"))) + "</tr>"
    yield "</tbody></table>"


def _face(one: FaceReading) -> str:
    kind, sign = ("passed", "✓") if one.is_right else ("failed", f"→ {escape(one.read_as)}" if one.read_as else "–")
    return f'<td class="{kind}" title="{escape(one.words)}"><b>{escape(one.face)}</b><br>{sign}</td>'


def _row(result: CheckResult) -> str:
    remarks = [result.got] if result.verdict is CheckStatus.SKIPPED else []
    remarks += [f"observed: {what}" for what in result.observed]
    below = "".join(f"<br><small>{escape(remark)}</small>" for remark in remarks)
    return (
        f'<tr><td class="verdict {result.verdict.value}">{_SIGNS[result.verdict]} {result.verdict.value}</td>'
        f"<td><code>{escape(result.name)}</code><br>{escape(result.requirement)}{below}</td>"
        f'<td>{escape(result.section)}</td><td class="number">{result.duration_s:.2f}</td></tr>'
    )
