// Tries each door to the outside and says what it got.
import { guard, info } from "../guardhost/index.js";

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
  check: (_, { door }) => {
    let got: string;
    try {
      got = `got ${String(doors[door]!())}`;
    } catch (error) {
      got = `refused: ${error}`;
    }
    return [info("probe", got)];
  },
});
