"""The interface as an OpenAPI 3.1 document, made of the types that it answers with."""

from typing import Any, Final

import msgspec

from table.display.problems import KIND, Problem
from table.view import TableView

JSON: Final = "application/json"
STREAM: Final = "text/event-stream"
REF: Final = "#/components/schemas/{name}"


def document(version: str) -> dict[str, Any]:
    """The document.

    Args:
        version: of the program.
    """
    _, schemas = msgspec.json.schema_components([Problem, TableView], ref_template=REF)
    resume = {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "LOG:SEQ of the last event that came; those after it follow, or a snapshot.",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{32}:[0-9]{1,18}$"},
    }
    table = {
        "type": "object",
        "required": ["log", "seq", "current", "view"],
        "properties": {
            "log": {"type": "string", "description": "The fingerprint of the log."},
            "seq": {"type": "integer", "description": "The last line that the view knows."},
            "current": {"type": "boolean"},
            "view": {"$ref": REF.format(name="TableView")},
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "cardshoe table display", "version": version},
        "paths": {
            "/api/v1/table": _get("The table as it stands", JSON, table, unavailable=True),
            "/api/v1/events": _get(
                "Durable lines as they come, ids LOG:SEQ; events: snapshot, line, pulse",
                STREAM,
                {"type": "string"},
                parameters=[resume],
                unavailable=True,
            ),
            "/api/v1/openapi.json": _get("This document", JSON, {"type": "object"}),
            "/healthz": _get("Whether the display is alive", JSON, {"type": "object"}),
            "/readyz": _get("Whether display and table are of use; 503 names what fails", JSON, {}, unavailable=True),
            "/version": _get("Which programs are at work", JSON, {"type": "object"}),
            "/metrics": _get("Figures for Prometheus", "text/plain", {"type": "string"}),
        },
        "components": {"schemas": schemas},
    }


def _get(
    summary: str,
    kind: str,
    schema: dict[str, Any],
    *,
    parameters: list[dict[str, Any]] | None = None,
    unavailable: bool = False,
) -> dict[str, Any]:
    def failing(description: str) -> dict[str, Any]:
        return {"description": description, "content": {KIND: {"schema": {"$ref": REF.format(name="Problem")}}}}

    responses: dict[str, Any] = {"200": {"description": summary, "content": {kind: {"schema": schema}}}}
    if parameters:
        responses["400"] = failing("A header that cannot be read")
    responses["403"] = failing("Another origin, or a name that is not this display's")
    if unavailable:
        responses["503"] = failing("What fails")
    return {"get": {"summary": summary, "parameters": parameters or [], "responses": responses}}
