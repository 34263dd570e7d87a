import { describe, expect, it } from "vitest";
import { afterChange, openedDraft, redone, startedHistory, undone } from "./draft";

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

describe("a draft that was kept", () => {
  const newest = { title: "Tea", version: 2, text: "two" };
  const kept = (version: number, text: string) => ({ base: { version, text }, text: "mine" });
  const unchanged = { base: { version: 2, text: "two" }, text: "two" };

  it("is opened again with the version on which it is based", () => {
    expect(openedDraft(kept(2, "two"), newest)).toEqual(kept(2, "two"));
    expect(openedDraft(kept(1, "one"), newest)).toEqual(kept(1, "one"));
  });

  it("is dropped if it is of a deleted edition that had the same slug", () => {
    expect(openedDraft(kept(3, "three"), newest)).toEqual(unchanged);
    expect(openedDraft(kept(2, "other"), newest)).toEqual(unchanged);
    expect(openedDraft(null, newest)).toEqual(unchanged);
  });
});
