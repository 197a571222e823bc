import { describe, expect, it } from "vitest";
import { clean } from "./count.js";

describe("clean", () => {
  it("takes blanks away", () => {
    const name = clean("  anna   b ");
    expect(name).toBe("anna b");
  });
});
