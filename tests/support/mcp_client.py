"""The MCP SDK's own client, driven line by line.

    mcp_client.py MODE PROGRAM ARGUMENT…

Says how the connection stands, then takes `{"tool": …, "arguments": …}` lines and answers each with the result as the client
understood it: the SDK has checked it against the tool's output schema by then. With `"progress": true` in a line, the result has the
progress too. MCP_ROOT is the folder that the client works in, if it tells one. With MCP_ALLOWS there is a person, who answers each question with
it: `true` or `false`; results then have the questions.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ElicitResult, ListRootsResult, Root


def say(value):
    print(json.dumps(value), flush=True)


async def main(mode, program, arguments):
    server = StdioServerParameters(command=program, args=arguments)
    roots = [Root(uri=Path(root).as_uri()) for root in [os.environ.get("MCP_ROOT")] if root]

    async def list_roots(_context):
        return ListRootsResult(roots=roots)

    allows = os.environ.get("MCP_ALLOWS")
    questions = []

    async def decide(_context, asked):
        questions.append({"message": asked.message, "schema": asked.requested_schema})
        return ElicitResult(action="accept", content={"allow": allows == "true"})

    offered = {"list_roots_callback": list_roots} if roots else {}
    if allows:
        offered["elicitation_callback"] = decide
    async with Client(server, mode=mode, read_timeout_seconds=60, **offered) as client:
        tools = (await client.list_tools()).tools
        say({"instructions": client.instructions, "tools": [tool.model_dump(mode="json", by_alias=True) for tool in tools]})
        for line in iter(sys.stdin.readline, ""):
            call = json.loads(line)
            steps = []

            async def progress(done, total, message):
                steps.append({"done": done, "total": total, "message": message})

            asked = {"progress_callback": progress} if call.get("progress") else {}
            try:
                result = await client.call_tool(call["tool"], call["arguments"], **asked)
                said = result.model_dump(mode="json", by_alias=True)
                said = {**said, "progress": steps} if asked else said
                say({**said, "questions": questions} if allows else said)
            except MCPError as error:
                say({"protocol_error": str(error)})


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
