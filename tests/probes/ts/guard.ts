// Tries each door to the outside and says what it got.
import { type Change, error, guard, info } from "../guardhost/index.js";

const outside = globalThis as any;
const doors: Record<string, () => unknown> = {
  files: () => outside.std?.loadFile("/etc/passwd") ?? outside.require?.("fs") ?? outside.os?.readdir("/") ?? outside.Deno,
  environment: () => outside.process?.env ?? outside.std?.getenviron(),
  network: () => outside.fetch ?? outside.XMLHttpRequest ?? outside.WebSocket,
  clock: () => Date.now(),
  "another-clock": () => new Date(),
  "clock-behind-the-sdk": () => Object.getPrototypeOf(new Date(0)).constructor.now(),
  random: () => Math.random(),
  "another-random": () => outside.crypto?.getRandomValues,
};

export default guard<{ door: string }>({
  id: "{{name}}",
  version: "0.1.0",
  promise: "Tells what it could reach.",
  settings: { type: "object", additionalProperties: false, properties: { door: { type: "string" } } },
  event: "probe.fail",
  check: (change, { door }) => {
    if (door === "everything") return [everything(change)];
    let got: string;
    try {
      got = `got ${String(doors[door]!())}`;
    } catch (error) {
      got = `refused: ${error}`;
    }
    return [info("probe", got)];
  },
});

function everything({ files: [file], task, commits: [commit] }: Change) {
  const { oid, message, author, trailers: [trailer] } = commit!;
  const given = `${file!.status}, ${task ? "a task" : "no task"}, ${oid!.length}: ${message.trim()} by ${author.name} <${author.email}>, ${trailer!.key}=${trailer!.value}`;
  return error("probe", given)
    .at(file!.path, 1)
    .to(2)
    .columns(1, 3)
    .help("Leave it out.")
    .fix("Write one", [{ path: file!.path, start: 0, end: 3, replacement: new Uint8Array([111, 110, 101]) }])
    .related(file!.path, 1, 2, "it begins here")
    .attribute("confidence", "0.9");
}
