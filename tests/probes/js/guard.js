// Tries each door to the outside and says what it got.
import { error, guard, info } from "./guardhost/index.js";

const doors = {
  files: () => globalThis.std?.loadFile("/etc/passwd") ?? globalThis.require?.("fs") ?? globalThis.os?.readdir("/") ?? globalThis.Deno,
  environment: () => globalThis.process?.env ?? globalThis.std?.getenviron(),
  network: () => globalThis.fetch ?? globalThis.XMLHttpRequest ?? globalThis.WebSocket,
  clock: () => Date.now(),
  "another-clock": () => new Date(),
  "clock-behind-the-sdk": () => Object.getPrototypeOf(new Date(0)).constructor.now(),
  random: () => Math.random(),
  "another-random": () => globalThis.crypto?.getRandomValues,
};

export default guard({
  id: "{{name}}",
  version: "0.1.0",
  promise: "Tells what it could reach.",
  settings: { type: "object", additionalProperties: false, properties: { door: { type: "string" } } },
  event: "probe.fail",
  check: (change, { door }) => {
    if (door === "everything") return [everything(change)];
    let got;
    try {
      got = `got ${String(doors[door]())}`;
    } catch (error) {
      got = `refused: ${error}`;
    }
    return [info("probe", got)];
  },
});

function everything({ files: [file], task, commits: [commit] }) {
  const { oid, message, author, trailers: [trailer] } = commit;
  const given = `${file.status}, ${task ? "a task" : "no task"}, ${oid.length}: ${message.trim()} by ${author.name} <${author.email}>, ${trailer.key}=${trailer.value}`;
  return error("probe", given)
    .at(file.path, 1)
    .to(2)
    .columns(1, 3)
    .help("Leave it out.")
    .fix("Write one", [{ path: file.path, start: 0, end: 3, replacement: new Uint8Array([111, 110, 101]) }])
    .related(file.path, 1, 2, "it begins here")
    .attribute("confidence", "0.9");
}
