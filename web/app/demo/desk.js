import { ask } from "../shared/ask.js";

// The door to the desk opens this page once more, which asks for a link that works once and goes on by it. Only a page of
// our own opens it that way: one of another site has no hold on what it opened, so the browser names no opener.
export const asksForDesk = (told) => told === "open" && Boolean(opener);

// Go on to the desk; gives what to say where that cannot be.
export async function openDesk() {
  try {
    const { link } = await ask("/api/v1/demo/desk", { method: "POST" });
    location.replace(link);
    // Until the desk has come in this page's place.
    return await new Promise(() => {});
  } catch (problem) {
    return problem.slug === "forbidden" ? "elsewhere" : "failed";
  }
}
