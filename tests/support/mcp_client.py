"""The MCP SDK's own client, driven line by line.

    mcp_client.py MODE PROGRAM ARGUMENT…

Says how the connection stands, then takes `{"tool": …, "arguments": …}` lines and answers each with the result as the client
understood it: the SDK has checked it against the tool's output schema by then.
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters


def say(value):
    print(json.dumps(value), flush=True)


async def main(mode, program, arguments):
    server = StdioServerParameters(command=program, args=arguments)
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        say({"instructions": client.instructions, "tools": [tool.model_dump(mode="json", by_alias=True) for tool in tools]})
        for line in iter(sys.stdin.readline, ""):
            call = json.loads(line)
            try:
                result = await client.call_tool(call["tool"], call["arguments"])
                say(result.model_dump(mode="json", by_alias=True))
            except MCPError as error:
                say({"protocol_error": str(error)})


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
