"""The Python SDK's own client (`mcp`)."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from story import Heard, finish, noted, places, refused, same, step, tell

WHERE = places()


class Session:
    def __init__(self, client: Client) -> None:
        self.client = client
        self.revision = client.protocol_version

    async def tools(self) -> list[str]:
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, name: str, given: dict) -> Heard:
        try:
            result = await self.client.call_tool(name, given)
        except MCPError as error:
            return Heard(code=error.error.code, text=error.error.message)
        return Heard(bool(result.is_error), result.content[0].text, result.structured_content)


@asynccontextmanager
async def over_http(address: str, token: str | None = None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, event_hooks={"response": [noted]}) as http:
        async with Client(streamable_http_client(address, http_client=http)) as client:
            yield Session(client)


@asynccontextmanager
async def over_stdio():
    stdio = WHERE["stdio"]
    server = StdioServerParameters(command=stdio["command"], args=stdio["args"], env=stdio["env"])
    async with Client(server) as client:
        yield Session(client)


async def main() -> None:
    await tell("mcp over HTTP", lambda: over_http(WHERE["url"], WHERE["token"]))
    await tell("mcp over stdio", over_stdio)

    async def resource() -> None:
        async with over_http(WHERE["fixture"]) as session:
            read = await session.client.read_resource("test://static-text")
            same(read.contents[0].text, "This is the content of the static text resource.")

    await step("mcp: reads a resource of the fixture", resource)
    await step("mcp: a visitor is asked to sign in", lambda: refused(lambda: over_http(WHERE["url"])))


asyncio.run(main())
finish()
