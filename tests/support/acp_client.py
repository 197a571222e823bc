"""The Python SDK of the Agent Client Protocol as an editor, driven line by line.

    acp_client.py FOLDER PROGRAM ARGUMENT…

Starts the program as its agent, opens a session in the folder, and takes lines: the JSON of a text to prompt with. Each is answered with what
the editor saw of that turn: what it wrote, what it was asked, which commands it ran, what was said, and how the turn ended. It writes what it
is asked to write, allows what it is asked to allow, and runs what it is asked to run.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from acp import connect_to_agent, schema, text_block


class Editor:
    def __init__(self):
        self.saw = {}
        self.clear()

    def clear(self):
        self.saw = {"written": [], "asked": [], "ran": [], "said": ""}

    async def write_text_file(self, session_id, path, content, **_):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(content)
        self.saw["written"].append(path)
        return schema.WriteTextFileResponse()

    async def read_text_file(self, session_id, path, line=None, limit=None, **_):
        return schema.ReadTextFileResponse(content=Path(path).read_text())

    async def request_permission(self, session_id, tool_call, options, **_):
        self.saw["asked"].append(tool_call.tool_call_id)
        allowed = next(option for option in options if option.kind in ("allow_once", "allow_always"))
        return schema.RequestPermissionResponse(outcome=schema.AllowedOutcome(outcome="selected", option_id=allowed.option_id))

    async def create_terminal(self, session_id, command, args=None, env=None, cwd=None, **_):
        self.saw["ran"].append([command, *(args or [])])
        subprocess.run([command, *args] if args else command, shell=not args, cwd=cwd, check=False)
        return schema.CreateTerminalResponse(terminal_id="t")

    async def session_update(self, session_id, update, **_):
        if isinstance(update, schema.AgentMessageChunk) and update.content.type == "text":
            self.saw["said"] += update.content.text

    def on_connect(self, _):
        pass


async def main(folder, *command):
    agent = await asyncio.create_subprocess_exec(*command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=64 << 20)
    editor = Editor()
    to_agent = connect_to_agent(editor, agent.stdin, agent.stdout)
    can = schema.ClientCapabilities(fs=schema.FileSystemCapabilities(read_text_file=True, write_text_file=True), terminal=True)
    hello = await to_agent.initialize(protocol_version=1, client_capabilities=can)
    session = await to_agent.new_session(cwd=folder, mcp_servers=[])
    print(json.dumps({"version": hello.protocol_version, "agent": agent.pid}), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        editor.clear()
        turn = await to_agent.prompt(session_id=session.session_id, prompt=[text_block(json.loads(line))])
        print(json.dumps({**editor.saw, "ended": turn.stop_reason}), flush=True)
    agent.stdin.close()
    await asyncio.wait_for(agent.wait(), 60)
    sys.exit(agent.returncode)


asyncio.run(main(*sys.argv[1:]))
