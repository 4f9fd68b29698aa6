"""What every Python client does with Almanac. A client is adapted by a session object; what it sees is checked here.

A session has `revision`, and the coroutines `tools() -> list[str]` and `call(name, input) -> Heard`.
"""

import json
import sys
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Awaitable, Callable

REVISION = "2026-07-28"
MEAL = {"kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18}
VALIDATION = (
    "tool log_meal input validation failed — kcal: Expected number, received string; "
    "protein_g: Required; carb_g: Required; fat_g: Required"
)

failures: list[str] = []
statuses: list[int] = []


@dataclass
class Heard:
    """An answer: a tool result, or the code and message of a JSON-RPC error."""

    is_error: bool = False
    text: str = ""
    data: Any = None
    code: int | None = None


def places() -> dict[str, Any]:
    """The places to connect to, as the suite hands them over."""
    return json.loads(sys.argv[1])


def cause(error: BaseException) -> BaseException:
    """The first error inside the groups that async libraries wrap errors in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def step(name: str, work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
        print(f"ok {name}", flush=True)
    except Exception as error:
        failures.append(name)
        first = cause(error)
        said = f"{type(first).__name__}: {first}".replace("\n", " | ")[:600]
        print(f"FAILED {name} — {said}", flush=True)


def finish() -> None:
    """Ends the script: anything that failed is an exit code."""
    sys.exit(1 if failures else 0)


def same(found: Any, expected: Any) -> None:
    assert found == expected, f"expected {expected!r}, found {found!r}"


async def tell(title: str, opening: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
    """The whole story over one connection."""

    async def told() -> None:
        async with opening() as session:
            await tell_session(title, session)

    await step(f"{title}: connects and leaves in order", told)


async def tell_session(title: str, session: Any) -> None:
    meal: dict[str, int] = {}

    async def negotiates() -> None:
        same(session.revision, REVISION)

    async def lists() -> None:
        names = await session.tools()
        same(names, sorted(names))
        for name in ("get_capabilities", "log_meal", "delete_meal", "get_meals"):
            assert name in names, name

    async def capabilities() -> None:
        heard = await session.call("get_capabilities", {})
        same(heard.is_error, False)
        same(heard.data["server"]["name"], "almanac")

    async def logs() -> None:
        heard = await session.call("log_meal", {**MEAL, "name": f"Lentils for {title}"})
        same(heard.is_error, False)
        same(json.loads(heard.text), heard.data)
        same(heard.data["undo"]["change_id"], heard.data["change_id"])
        meal["id"] = heard.data["id"]

    async def stored() -> dict[str, Any] | None:
        heard = await session.call("get_meals", {})
        return next((item for item in heard.data["items"] if item["id"] == meal["id"]), None)

    async def reads_back() -> None:
        found = await stored()
        assert found and found["kcal"] == MEAL["kcal"], found

    async def every_wrong_field() -> None:
        heard = await session.call("log_meal", {"kcal": "500"})
        same((heard.is_error, heard.text), (True, VALIDATION))

    async def unknown_tool() -> None:
        heard = await session.call("foo_bar", {})
        same((heard.code, heard.text), (-32602, "unknown tool: foo_bar"))

    async def refused_delete() -> None:
        heard = await session.call("delete_meal", {"meal_id": meal["id"], "confirm": False})
        assert heard.is_error and heard.text.endswith("confirm: Invalid literal value, expected true"), heard
        assert await stored(), "the meal is gone"

    await step(f"{title}: negotiates {REVISION}", negotiates)
    await step(f"{title}: lists the tools", lists)
    await step(f"{title}: reads get_capabilities", capabilities)
    await step(f"{title}: logs a meal", logs)
    await step(f"{title}: reads it back", reads_back)
    await step(f"{title}: is told every wrong field", every_wrong_field)
    await step(f"{title}: is told of an unknown tool", unknown_tool)
    await step(f"{title}: is refused a delete without a yes", refused_delete)


async def noted(response: Any) -> None:
    """A response hook of the HTTP client: keeps the status, which the clients' own errors do not tell."""
    statuses.append(response.status_code)


async def refused(opening: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
    """A visitor's connection: it must fail, and for want of a credential."""
    statuses.clear()
    try:
        async with opening() as session:
            await session.tools()
    except Exception:
        assert statuses and set(statuses) == {401}, statuses
        return
    raise AssertionError("a visitor was let in")
