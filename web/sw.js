// Service worker: makes the players' page available offline, and receives photos that are shared with the installed app. The
// server fills in the version and the files. Responses of /api are never cached here.

const VERSION = {{ version|tojson }};
const FILES = {{ files|tojson }}; // everything that the page may need
const TEXTS = {{ texts|tojson }}; // by language; other languages are fetched after the page's own
const SELDOM = {{ seldom|tojson }}; // cached once they are used

const MANIFEST = "/manifest.webmanifest";
const SHELL = "haggle-shell-";
const SHARED = "haggle-shared";
const NOT_ALL = "/shared/not-all"; // stored beside the photos if there were more
const MOST_SHARED = 20; // photos stored at once
const PICTURE_BYTES = {{ picture_bytes }}; // the server's limit
const PATIENCE = 3000; // milliseconds to wait for the network if the page is cached
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

// Cache the page and its files, all or nothing.
async function keepAll() {
  const page = await ownPage();
  const cache = await caches.open(SHELL + VERSION);
  await cache.addAll([MANIFEST, ...FILES, ...own]);
  await cache.put("/", page);
}

// Return the page of this version. During an upgrade other servers may respond with another version's, whose files are not
// cached here. If only such servers respond, the browser tries again at the next visit.
async function ownPage() {
  for (let tries = 0; tries < 5; tries++) {
    const page = await fetch("/");
    if (page.ok && (await page.clone().text()).includes(FILES[0])) return page;
  }
  throw new Error("the page of this version did not come");
}

// Delete old versions except the previous one, which open pages still use.
async function forgetOld() {
  const names = (await caches.keys()).filter((name) => name.startsWith(SHELL) && name !== SHELL + VERSION);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

// Return the page from the network; the cached one if the network is slow or fails.
async function page(request) {
  const kept = await (await caches.open(SHELL + VERSION)).match("/");
  const fresh = fetch(request).then((answer) => (answer.status >= 500 && kept ? kept : answer));
  if (!kept) return fresh;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, kept));
  return Promise.race([fresh, late]).catch(() => kept);
}

// Return a file from the cache first: an address contains the hash of its content.
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

// Store photos that were shared with the app until the player decides about them. Any website may send such a form.
async function takeShared(request) {
  try {
    const sent = (await request.formData()).getAll("photo");
    const cache = await caches.open(SHARED);
    const lie = (await cache.keys()).filter(({ url }) => !url.endsWith(NOT_ALL));
    const room = MOST_SHARED - lie.length;
    const pictures = sent.filter(isPicture).slice(0, Math.max(0, room));
    if (!pictures.length) return Response.redirect("/?shared=lost", 303);
    // Another window of the page may ask the player.
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
