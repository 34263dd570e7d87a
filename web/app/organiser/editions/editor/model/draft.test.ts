import { describe, expect, it } from "vitest";
import { afterChange, redone, startedHistory, undone } from "./draft";

describe("undo", () => {
  it("takes back what was typed in a field at a stretch, and returns to it", () => {
    let history = startedHistory("a");
    history = afterChange(history, "ab", "name", 1000);
    history = afterChange(history, "abc", "name", 1500);
    history = afterChange(history, "abcd", "name", 9000);
    expect(undone(history).text).toBe("abc");
    expect(undone(undone(history)).text).toBe("a");
    expect(undone(undone(undone(history))).text).toBe("a");
    expect(redone(redone(undone(undone(history)))).text).toBe("abcd");
  });

  it("takes back changes of different fields one by one, and forgets what was undone after a change", () => {
    let history = afterChange(startedHistory("a"), "b", "name", 1000);
    history = afterChange(history, "c", "worth", 1001);
    history = undone(history);
    expect(history.text).toBe("b");
    history = afterChange(history, "d", "worth", 1002);
    expect(redone(history).text).toBe("d");
    expect(undone(history).text).toBe("b");
  });
});
