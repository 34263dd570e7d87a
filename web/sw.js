// Keeps the players' page working without network, and takes pictures that are shared with the installed app.
// The server puts in the version and the files. Nothing that belongs to a person is kept here: never an answer of /api.

const VERSION = {{ version|tojson }};
const FILES = {{ files|tojson }}; // what the page needs, whatever the player does
const TEXTS = {{ texts|tojson }}; // by language; the others' are fetched after the page's own
const SELDOM = {{ seldom|tojson }}; // kept once they were used

const MANIFEST = "/manifest.webmanifest";
const SHELL = "haggle-shell-";
const SHARED = "haggle-shared";
const NOT_ALL = "/shared/not-all"; // lies beside the pictures where more was shared than these
const MOST_SHARED = 20; // pictures that lie here at once
const PICTURE_BYTES = {{ picture_bytes }}; // the largest picture that the server takes
const PATIENCE = 3000; // milliseconds that a page may take over the network where there is a kept one
const own = TEXTS[navigator.language.slice(0, 2)] ?? TEXTS.en;
const others = Object.values(TEXTS).flat().filter((url) => !own.includes(url));

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOld().then(() => self.clients.claim()));
  caches.open(SHELL + VERSION).then((cache) => cache.addAll(others)).catch(() => {});
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === "/share") event.respondWith(takeShared(request));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate" && isPlayers(url.pathname)) event.respondWith(page(request));
  else if (url.pathname === MANIFEST) event.respondWith(fetch(request).catch(() => caches.match(MANIFEST)));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(file(request, url.pathname));
});

const isPlayers = (path) => path === "/" || path === "/j" || path.startsWith("/p/");

// The page and its files, together or not at all.
async function keepAll() {
  const page = await ownPage();
  const cache = await caches.open(SHELL + VERSION);
  await cache.addAll([MANIFEST, ...FILES, ...own]);
  await cache.put("/", page);
}

// The page of this version. During an upgrade another server may answer with that of another version, whose files are not
// kept here. Where only such servers answer, the browser begins again at the next visit.
async function ownPage() {
  for (let tries = 0; tries < 5; tries++) {
    const page = await fetch("/");
    if (page.ok && (await page.clone().text()).includes(FILES[0])) return page;
  }
  throw new Error("the page of this version did not come");
}

// Pages that are open go on with the files of the version before, so that one stays.
async function forgetOld() {
  const names = (await caches.keys()).filter((name) => name.startsWith(SHELL) && name !== SHELL + VERSION);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

// The page from the network, since that one is of today; the kept one if the network is slow, gone or broken.
async function page(request) {
  const kept = await (await caches.open(SHELL + VERSION)).match("/");
  const fresh = fetch(request).then((answer) => (answer.status >= 500 && kept ? kept : answer));
  if (!kept) return fresh;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, kept));
  return Promise.race([fresh, late]).catch(() => kept);
}

// A file's address tells its content, so a kept one is as good as any.
async function file(request, path) {
  const kept = await caches.match(path);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && SELDOM.includes(path)) {
    const copy = answer.clone();
    caches.open(SHELL + VERSION).then((cache) => cache.put(path, copy)).catch(() => {});
  }
  return answer;
}

// Pictures shared from the gallery lie here until the page has asked whether they go into a deck: it need not have been
// this person who sent them here, since forms of any other page may do so too.
async function takeShared(request) {
  try {
    const sent = (await request.formData()).getAll("photo");
    const cache = await caches.open(SHARED);
    const lie = (await cache.keys()).filter(({ url }) => !url.endsWith(NOT_ALL));
    const room = MOST_SHARED - lie.length;
    const pictures = sent.filter(isPicture).slice(0, Math.max(0, room));
    if (!pictures.length) return Response.redirect("/?shared=lost", 303);
    // The page that asks need not be the one that opens now.
    if (pictures.length < sent.length) await cache.put(NOT_ALL, new Response());
    for (const picture of pictures) {
      const headers = { "Content-Type": picture.type, "X-Name": encodeURIComponent(picture.name) };
      await cache.put(`/shared/${Date.now()}-${crypto.randomUUID()}`, new Response(picture, { headers }));
    }
  } catch {
    return Response.redirect("/?shared=lost", 303);
  }
  return Response.redirect("/?shared", 303);
}

const isPicture = (file) => file instanceof File && file.type.startsWith("image/") && file.size <= PICTURE_BYTES;
