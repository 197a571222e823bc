"""Places replies with the code of aider (SEARCH/REPLACE) and of openai-agents (V4A).

Reads one JSON object a line: {"tool": "aider" | "agents", "tree": {path: text}, "reply": text}. Answers each with one line:
{"files": {path: text}}, or {"error": text}. With `--tools` it only says which of the two can be imported.
"""

import importlib.abc
import importlib.machinery
import json
import os
import re
import sys
import tempfile
import types
from pathlib import Path
from unittest import mock


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands for every package that is not installed: only the modules that edit text are used."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("aider", "agents"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = mock.MagicMock(name=spec.name)
        module.__spec__, module.__path__, module.__name__ = spec, [], spec.name
        return module

    def exec_module(self, module):
        pass


def load_aider():
    sys.meta_path.append(Absent())
    try:
        from aider.coders import editblock_coder
    finally:
        sys.meta_path.pop()
    return editblock_coder


def load_agents():
    # The module alone: the package around it needs the network's clients.
    for folder in sys.path:
        found = Path(folder) / "agents" / "apply_diff.py"
        if found.exists():
            module = types.ModuleType("apply_diff")
            sys.modules["apply_diff"] = module
            exec(compile(found.read_text(), str(found), "exec"), module.__dict__)
            return module
    raise ImportError("openai-agents is not installed")


def place_aider(aider, tree, reply):
    """As aider's coder applies edits, with the whole tree in the chat."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in tree.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        os.chdir(folder)
        edits = [edit for edit in aider.find_original_update_blocks(reply, valid_fnames=list(tree)) if edit[0]]
        if not edits:
            raise ValueError("no blocks")
        result = dict(tree)
        for path, search, replace in edits:
            new = None
            # Where the named file does not fit, aider tries the others.
            for candidate in [path, *[other for other in result if other != path]]:
                text = result.get(candidate)
                if text is None and search.strip():
                    continue
                new = aider.do_replace(candidate, text, search, replace, ("```", "```"))
                if new:
                    result[candidate] = new
                    break
            if not new:
                raise ValueError("a block does not match")
        os.chdir("/")
        return result


HEADER = re.compile(r"^\*\*\* (Update|Add|Delete) File: (.*)$")


def place_agents(agents, tree, reply):
    lines = reply.split("\n")
    begin, end = lines.index("*** Begin Patch"), lines.index("*** End Patch")
    result, sections = dict(tree), []
    for line in lines[begin + 1 : end]:
        header = HEADER.match(line)
        if header:
            sections.append((header[1], header[2], []))
        else:
            sections[-1][2].append(line)
    for action, path, body in sections:
        target = path
        if body and body[0].startswith("*** Move to: "):
            target = body.pop(0)[len("*** Move to: ") :]
        diff = "\n".join(body) + "\n"
        if action == "Add":
            text = agents.apply_diff("", diff, mode="create")
            result[target] = text if text.endswith("\n") else text + "\n"
        elif action == "Delete":
            del result[path]
        else:
            text = agents.apply_diff(result[path], diff)
            del result[path]
            result[target] = text
    return result


def main():
    tools = {}
    for name, load in (("aider", load_aider), ("agents", load_agents)):
        try:
            tools[name] = load()
        except Exception as error:  # The tool is not there, or needs more than it should.
            print(f"{name}: {error!r}", file=sys.stderr)
    print(json.dumps(sorted(tools)), flush=True)
    place = {"aider": place_aider, "agents": place_agents}
    for line in sys.stdin:
        question = json.loads(line)
        try:
            name = question["tool"]
            answer = {"files": place[name](tools[name], question["tree"], question["reply"])}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), flush=True)


main()
