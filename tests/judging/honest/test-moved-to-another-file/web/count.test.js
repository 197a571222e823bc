import { describe, expect, it } from "vitest";
import { tally } from "./count.js";

describe("tally", () => {
  it("counts every vote", () => {
    const votes = tally(["anna", "bert", "anna"]);
    expect(votes.get("anna")).toBe(2);
    expect(votes.get("bert")).toBe(1);
  });

  it("leaves out empty lines", () => {
    const votes = tally(["", " "]);
    expect(votes.size).toBe(0);
  });
});
