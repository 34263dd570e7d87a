// The token of the big screen's link. It leaves the address at once, so that no photograph of the wall has it; the tab
// keeps it, and the browser the newest one for a tab that is opened without.

const KEPT = "haggle-screen";

export function takeToken() {
  const token = location.hash.slice(1);
  if (!token) return read(sessionStorage) || read(localStorage);
  history.replaceState(null, "", location.pathname);
  for (const store of [sessionStorage, localStorage]) {
    try {
      store.setItem(KEPT, token);
    } catch {
      // A browser that keeps nothing needs the link again after a reload.
    }
  }
  return token;
}

// Every token begins with the game that it shows.
export const gameOf = (token) => token.split(".")[0];

function read(store) {
  try {
    return store.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
