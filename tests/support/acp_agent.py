"""The Python SDK of the Agent Client Protocol as an agent that does what its prompt says: a JSON list of steps.

    {"write": [PATH, TEXT]}   asks the editor to write a file
    {"permit": [[PATH, OLD, NEW], …]}   asks for a permission with these diffs; "shown" tells the diffs beforehand instead
    {"permit_run": COMMAND}   asks for a permission to run a command
    {"terminal": [PROGRAM, ARGUMENT, …]}   asks the editor to run a program
    {"shell": COMMAND}   runs a command by itself
    {"then": […]}   steps for a second prompt, which is no JSON

It says what came of each step as a JSON list, and of a prompt that is no JSON, what that was.
"""

import asyncio
import json
import subprocess

import acp
from acp import RequestError, helpers, schema


class Scripted:
    def __init__(self):
        self.then = []
        self.calls = 0

    def on_connect(self, client):
        self.client = client

    async def initialize(self, protocol_version, **_):
        return schema.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd, **_):
        self.cwd = cwd
        return schema.NewSessionResponse(session_id="s")

    async def cancel(self, session_id, **_):
        pass

    async def prompt(self, prompt, session_id, **_):
        text = prompt[0].text
        came = []
        try:
            steps = json.loads(text)
        except ValueError:
            steps, self.then = self.then, []
            came.append({"told": text})
        for step in steps:
            (kind, what), *more = step.items()
            if kind == "then":
                self.then = what
                continue
            try:
                came.append(await getattr(self, kind)(session_id, what, dict(more)) or "done")
            except RequestError as error:
                came.append({"error": str(error)})
        await self.client.session_update(session_id, helpers.update_agent_message_text(json.dumps(came) + "\n"))
        return schema.PromptResponse(stop_reason="end_turn")

    async def write(self, session, what, _):
        await self.client.write_text_file(session_id=session, path=what[0], content=what[1])

    async def permit(self, session, what, more):
        diffs = [helpers.tool_diff_content(path, new, old) for path, old, new in what]
        return await self.ask(session, diffs, more, kind="edit")

    async def permit_run(self, session, what, more):
        return await self.ask(session, None, more, kind="execute", raw_input={"command": what})

    async def ask(self, session, diffs, more, **fields):
        self.calls += 1
        call = f"call-{self.calls}"
        if more.get("shown"):
            shown = helpers.start_tool_call(call, "shown before", kind="edit", content=diffs)
            await self.client.session_update(session, shown)
            diffs = None
        options = [
            schema.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="Reject", kind="reject_once"),
        ]
        asked = schema.ToolCallUpdate(tool_call_id=call, content=diffs, **fields)
        answer = await self.client.request_permission(session_id=session, tool_call=asked, options=options)
        return answer.outcome.option_id

    async def terminal(self, session, what, _):
        await self.client.create_terminal(session_id=session, command=what[0], args=what[1:], cwd=self.cwd)

    async def shell(self, _session, what, _):
        subprocess.run(what, shell=True, cwd=self.cwd, check=True)


asyncio.run(acp.run_agent(Scripted()))
