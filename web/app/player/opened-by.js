// What the page was opened for, as the installed app says it in the address. It is taken out of there: a reload is none.

const asked = new URLSearchParams(location.search);
if (location.search) history.replaceState(null, "", location.pathname + location.hash);

// "lost" where pictures were shared with the app and none could be taken, "yes" where some could; else "".
export const shared = asked.has("shared") ? asked.get("shared") || "yes" : "";

let photograph = asked.has("photograph");

// Whether it was to take a picture; true only once.
export function wantsPicture() {
  const wanted = photograph;
  photograph = false;
  return wanted;
}
