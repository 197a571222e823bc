// The npm SDK of the Agent Client Protocol as an agent: it asks the editor for each write of its prompt, a JSON list of {"write": [PATH, TEXT]},
// and says what came of each. It is started in the folder of the package.

import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const sdk = createRequire(`${process.argv[2]}/package.json`).resolve("@agentclientprotocol/sdk");
const acp = await import(pathToFileURL(sdk));

acp
  .agent({ name: "scripted" })
  .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(acp.methods.agent.session.new, () => ({ sessionId: "s" }))
  .onRequest(acp.methods.agent.session.prompt, async ({ client, params }) => {
    const { sessionId } = params;
    const came = [];
    for (const { write } of JSON.parse(params.prompt[0].text)) {
      const [path, content] = write;
      await client.request(acp.methods.client.fs.writeTextFile, { sessionId, path, content }).then(
        () => came.push("done"),
        (error) => came.push({ error: error.message }),
      );
    }
    const content = { type: "text", text: `${JSON.stringify(came)}\n` };
    await client.notify(acp.methods.client.session.update, { sessionId, update: { sessionUpdate: "agent_message_chunk", content } });
    return { stopReason: "end_turn" };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
