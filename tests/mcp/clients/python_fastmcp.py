"""FastMCP's client: raises `ToolError` where a result says `isError`."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError
from story import Heard, finish, noted, places, refused, same, step, tell

WHERE = places()


class Session:
    def __init__(self, client: Client) -> None:
        self.client = client
        self.revision = client.protocol_version

    async def tools(self) -> list[str]:
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, name: str, given: dict) -> Heard:
        try:
            result = await self.client.call_tool(name, given)
        except ToolError as error:
            return Heard(is_error=True, text=str(error))
        except MCPError as error:
            return Heard(code=error.error.code, text=error.error.message)
        return Heard(False, result.content[0].text, result.structured_content)


def watched(**options) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(event_hooks={"response": [noted]}, **options)


@asynccontextmanager
async def over_http(address: str, token: str | None = None):
    transport = StreamableHttpTransport(address, auth=token, httpx_client_factory=watched)
    async with Client(transport) as client:
        yield Session(client)


@asynccontextmanager
async def over_stdio():
    stdio = WHERE["stdio"]
    transport = StdioTransport(stdio["command"], stdio["args"], env=stdio["env"], keep_alive=False)
    async with Client(transport) as client:
        yield Session(client)


async def main() -> None:
    await tell("fastmcp over HTTP", lambda: over_http(WHERE["url"], WHERE["token"]))
    await tell("fastmcp over stdio", over_stdio)

    async def resource() -> None:
        async with over_http(WHERE["fixture"]) as session:
            contents = await session.client.read_resource("test://static-text")
            same(contents[0].text, "This is the content of the static text resource.")

    await step("fastmcp: reads a resource of the fixture", resource)
    await step("fastmcp: a visitor is asked to sign in", lambda: refused(lambda: over_http(WHERE["url"])))


asyncio.run(main())
finish()
