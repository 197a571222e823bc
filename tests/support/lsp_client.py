"""The language client of pygls, driven line by line.

    lsp_client.py PROGRAM ARGUMENT…

Takes a line of JSON for each message: `{"ask": METHOD, "params": …}` answers with the result, `{"tell": METHOD, "params": …}` with null, and
`{"wait": ADDRESS}` with the next diagnostics of a document. Whatever the server says has the types of the protocol, or the client fails.
"""

import asyncio
import json
import sys
from collections import defaultdict

from lsprotocol import types
from pygls.lsp.client import LanguageClient


async def main(program, arguments):
    client = LanguageClient("guardhost-test", "1")
    published = defaultdict(asyncio.Queue)
    failures = []
    client.report_server_error = lambda error, source: failures.append(f"{source}: {error!r}")

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(params: types.PublishDiagnosticsParams):
        published[params.uri].put_nowait(params)

    converter = client.protocol._converter

    def typed(method, params):
        # The class of a message, of its answer, of its parameters, and of what it is registered with.
        kind = types.METHOD_TO_TYPES[method][2]
        return converter.structure(params, kind) if kind and params is not None else None

    await client.start_io(program, *arguments)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        said = json.loads(line)
        answer = None
        if method := said.get("ask"):
            answer = await client.protocol.send_request_async(method, typed(method, said.get("params")))
        elif method := said.get("tell"):
            client.protocol.notify(method, typed(method, said.get("params")))
        else:
            answer = await asyncio.wait_for(published[said["wait"]].get(), 60)
        if failures:
            sys.exit("\n".join(failures))
        print(json.dumps(converter.unstructure(answer)), flush=True)
    await client.stop()


asyncio.run(main(sys.argv[1], sys.argv[2:]))
