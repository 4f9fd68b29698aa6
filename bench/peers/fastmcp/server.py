"""The benchmark's tools on FastMCP: ping, log_meal and get_meals over one SQLite file."""

import hashlib
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.auth import AccessToken, TokenVerifier
from fastmcp.server.dependencies import get_access_token
from pydantic import Field

DAY_START = timedelta(hours=4)
ZONE = "UTC"

Slot = Literal["breakfast", "lunch", "dinner", "snack"]
Kcal = Annotated[int, Field(ge=0, le=10_000, description="Energy in kcal")]
Grams = Annotated[float, Field(ge=0, le=1_000, description="Grams")]
Milligrams = Annotated[float, Field(ge=0, le=50_000, description="Milligrams")]
Name = Annotated[str, Field(min_length=1, max_length=200, description="What was eaten")]
PastDays = Annotated[int, Field(ge=1, le=3_650, description="The last n days, today included")]
Limit = Annotated[int, Field(ge=1, le=200, description="Rows in one answer")]


def open_database() -> sqlite3.Connection:
    database = sqlite3.connect(os.environ["DB"], isolation_level=None)
    synchronous = os.environ.get("SYNCHRONOUS", "FULL")
    if synchronous not in ("FULL", "NORMAL"):
        raise SystemExit("SYNCHRONOUS is FULL or NORMAL")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(f"PRAGMA synchronous = {synchronous}")
    database.executescript((Path(__file__).parent.parent / "schema.sql").read_text())
    hashed = hashlib.sha256(os.environ["TOKEN"].encode()).hexdigest()
    database.execute("INSERT INTO token VALUES (?, 1) ON CONFLICT DO NOTHING", (hashed,))
    return database


database = open_database()


class Tokens(TokenVerifier):
    """A bearer token is known by its hash."""

    async def verify_token(self, token: str) -> AccessToken | None:
        hashed = hashlib.sha256(token.encode()).hexdigest()
        row = database.execute("SELECT person_id FROM token WHERE hash = ?", (hashed,)).fetchone()
        if row is None:
            return None
        return AccessToken(token=token, client_id=str(row[0]), scopes=["journal"])


mcp = FastMCP("peer", version="1.0.0", auth=Tokens())


def person() -> int:
    token = get_access_token()
    if token is None:
        raise ToolError("no access token")
    return int(token.client_id)


def stamp() -> dict:
    now = datetime.now(UTC).replace(microsecond=0).isoformat()
    return {"server_now": now, "user_tz": ZONE}


def slot_at(hour: int) -> Slot:
    if 4 <= hour < 11:
        return "breakfast"
    if 11 <= hour < 16:
        return "lunch"
    return "dinner" if 16 <= hour < 22 else "snack"


def tenths(value: float | None) -> int | None:
    return None if value is None else round(value * 10)


def number(stored: int | None) -> float | None:
    return None if stored is None else stored / 10


@mcp.tool
async def ping() -> dict:
    """Answers when the server is up. For use after a network failure only."""
    return {"ok": True, "version": "0.1.0", "migrations_applied": 12, "_meta": stamp()}


@mcp.tool
async def log_meal(
    kcal: Kcal,
    protein_g: Grams,
    carb_g: Grams,
    fat_g: Grams,
    eaten_at: Annotated[str | None, Field(description="YYYY-MM-DDTHH:MM, now when left out")] = None,
    name: Name | None = None,
    slot: Slot | None = None,
    fiber_g: Grams | None = None,
    sugar_g: Grams | None = None,
    saturated_fat_g: Grams | None = None,
    sodium_mg: Milligrams | None = None,
    alcohol_g: Grams | None = None,
    zero_ok: Annotated[bool, Field(description="True when a meal of nothing is meant")] = False,
    idempotency_key: Annotated[str | None, Field(max_length=200, description="Same value on a retry")] = None,
    allow_duplicate: Annotated[bool, Field(description="True to log the same meal again")] = False,
) -> dict:
    """Logs a meal and answers the day's totals. Never for drinks: they belong in log_alcohol."""
    if not zero_ok and kcal == protein_g == carb_g == fat_g == 0:
        raise ToolError("kcal: everything is 0; send zero_ok: true if that is right")
    owner = person()
    now = datetime.now(UTC)
    eaten = now if eaten_at is None else datetime.fromisoformat(eaten_at).replace(tzinfo=UTC)
    if eaten > now + timedelta(minutes=5):
        raise ToolError("eaten_at: is in the future")
    user_date = (eaten - DAY_START).date()
    day = user_date.isoformat()
    slot = slot or slot_at(eaten.hour)
    database.execute("BEGIN IMMEDIATE")
    try:
        (meal_id,) = database.execute("SELECT coalesce(max(id), 0) + 1 FROM meal WHERE owner = ?", (owner,)).fetchone()
        database.execute(
            "INSERT INTO meal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                owner, meal_id, int(eaten.timestamp() * 1e6), day, name, slot, kcal * 10,
                tenths(protein_g), tenths(carb_g), tenths(fat_g), tenths(fiber_g), tenths(sugar_g),
                tenths(saturated_fat_g), tenths(sodium_mg), tenths(alcohol_g), "assistant:bench",
                int(now.timestamp() * 1e6),
            ),
        )  # fmt: skip
        totals = database.execute(
            "SELECT sum(kcal), sum(protein), sum(carb), sum(fat) FROM meal WHERE owner = ? AND user_date = ?",
            (owner, day),
        ).fetchone()
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
    total = round(totals[0] / 10)
    return {
        "id": meal_id,
        "change_id": meal_id,
        "user_date": day,
        "day": day,
        "eaten_at": eaten.replace(microsecond=0).isoformat(),
        "slot": slot,
        "slot_source": "derived",
        "summary": f"Logged meal for {day} ({user_date:%a}): {kcal} kcal logged, {protein_g:g}p / {carb_g:g}c / "
        f"{fat_g:g}f; day total: {total} kcal (no active phase)",
        "day_totals": {
            "kcal": total,
            "protein_g": totals[1] / 10,
            "carb_g": totals[2] / 10,
            "fat_g": totals[3] / 10,
            "kcal_from_food": total,
            "kcal_from_alcohol": 0,
        },
        "day_target": None,
        "warnings": [],
        "undo": {"tool": "undo_change", "change_id": meal_id},
        "_meta": stamp(),
    }


MEALS = """
SELECT id, eaten_at, user_date, name, slot, kcal, protein, carb, fat, fiber, sugar, saturated_fat, sodium, alcohol, source
FROM meal WHERE owner = ? AND user_date BETWEEN ? AND ?
ORDER BY user_date DESC, eaten_at DESC, id DESC LIMIT ?
"""


@mcp.tool
async def get_meals(
    from_days_ago: PastDays | None = None,
    from_date: Annotated[str | None, Field(description="YYYY-MM-DD, inclusive")] = None,
    to_date: Annotated[str | None, Field(description="YYYY-MM-DD, inclusive")] = None,
    query: Name | None = None,
    limit: Limit = 50,
) -> dict:
    """Lists meals, newest first."""
    owner = person()
    today = (datetime.now(UTC) - DAY_START).date()
    since = from_date or (today - timedelta(days=(from_days_ago or 7) - 1)).isoformat()
    until = to_date or today.isoformat()
    rows = database.execute(MEALS, (owner, since, until, limit)).fetchall()
    (total,) = database.execute(
        "SELECT count(*) FROM meal WHERE owner = ? AND user_date BETWEEN ? AND ?", (owner, since, until)
    ).fetchone()
    items = [meal(row) for row in rows if query is None or query.lower() in (row[3] or "").lower()]
    return {
        "items": items,
        "total": total,
        "next_cursor": str(items[-1]["id"]) if items and total > len(items) else None,
        "truncated": total > len(items),
        "_meta": stamp(),
    }


def meal(row: tuple) -> dict:
    return {
        "id": row[0],
        "eaten_at": datetime.fromtimestamp(row[1] // 1_000_000, UTC).isoformat(),
        "zone": ZONE,
        "user_date": row[2],
        "name": row[3],
        "slot": row[4],
        "kcal": number(row[5]),
        "protein_g": number(row[6]),
        "carb_g": number(row[7]),
        "fat_g": number(row[8]),
        "fiber_g": number(row[9]),
        "sugar_g": number(row[10]),
        "saturated_fat_g": number(row[11]),
        "sodium_mg": number(row[12]),
        "alcohol_g": number(row[13]),
        "source": row[14],
    }


if __name__ == "__main__":
    mcp.run(
        transport="http",
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        path="/mcp",
        stateless_http=True,
        json_response=True,
        show_banner=False,
        log_level="warning",
        uvicorn_config={"access_log": False},
    )
