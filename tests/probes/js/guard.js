// Tries each door to the outside and says what it got.
import { guard, info } from "./guardhost/index.js";

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
  check: (_, { door }) => {
    let got;
    try {
      got = `got ${String(doors[door]())}`;
    } catch (error) {
      got = `refused: ${error}`;
    }
    return [info("probe", got)];
  },
});
