#!/usr/bin/env node
// Finds the program in the package for this platform, and runs it. Hooks should call the program itself: `host doctor` shows its path.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");
const { constants } = require("node:os");

function find() {
  const name = `@guardhost/cli-${process.platform}-${process.arch}`;
  try {
    const folder = path.dirname(require.resolve(`${name}/package.json`));
    return path.join(folder, "bin", process.platform === "win32" ? "host.exe" : "host");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    console.error(
      `guardhost: the package ${name}, which holds the program for this platform, is not installed.\n` +
        "It is an optional dependency: npm leaves it out with --omit=optional, and when package-lock.json was made on another platform.\n" +
        `Install it with: npm install ${name}@${require("./package.json").version}\n` +
        "If there is no such package, there is no build for this platform: use `cargo install`.",
    );
    process.exit(127);
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit", argv0: path.basename(process.argv[1], ".js") });
// The terminal sends its signals to both; what is sent to this process alone is passed on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`guardhost: ${error.message}`);
  process.exit(126);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
