// Service worker: makes the players' page available offline, and receives photos that are shared with the installed app.
// Responses of /api are never cached here.

// The files of the players' page, inserted by the build, and the photo size limit, inserted by the server.
const ENTRIES = self.__WB_MANIFEST;
const MAX_PHOTO_BYTES = self.__MAX_PHOTO_BYTES;

const PAGE = "player.html";
const VERSION = ENTRIES.find(({ url }) => url === PAGE).revision;
const URLS = ENTRIES.filter(({ url }) => url !== PAGE).map(({ url }) => `/${url}`);
const isText = (url) => url.startsWith("/assets/text-");
const isLargeAndRare = (url) => url.startsWith("/assets/live-"); // cached once they are used
const FILES = URLS.filter((url) => !isText(url) && !isLargeAndRare(url));
const ENTRY = FILES.find((url) => /\/player-[\w-]{8}\.js$/.test(url)); // in the page of this version only
const textsIn = (language) => URLS.filter((url) => url.startsWith(`/assets/text-${language}-`));

const MANIFEST = "/manifest.webmanifest";
const SHELL_PREFIX = "haggle-shell-";
const SHARED = "haggle-shared";
const INCOMPLETE_MARK = "/shared/not-all"; // stored beside the photos if there were more
const MAX_SHARED = 20; // photos stored at once
const PAGE_TIMEOUT = 3000; // milliseconds to wait for the network if the page is cached
const preferred = textsIn(navigator.language.slice(0, 2));
const own = preferred.length ? preferred : textsIn("en");
const others = URLS.filter((url) => isText(url) && !own.includes(url)); // fetched after the page's own

self.addEventListener("install", (event) => {
  event.waitUntil(cacheAll().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()));
  caches
    .open(SHELL_PREFIX + VERSION)
    .then((cache) => cache.addAll(others))
    .catch(() => {});
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === "/share") event.respondWith(receiveShared(request));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate" && isPlayersPage(url.pathname)) event.respondWith(pageResponse(request));
  else if (url.pathname === MANIFEST) event.respondWith(fetch(request).catch(() => caches.match(MANIFEST)));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(fileResponse(request, url.pathname));
});

const isPlayersPage = (path) => path === "/" || path === "/j" || path.startsWith("/p/");

// Cache the page and its files, all or nothing.
async function cacheAll() {
  const page = await fetchOwnPage();
  const cache = await caches.open(SHELL_PREFIX + VERSION);
  await cache.addAll([MANIFEST, ...FILES, ...own]);
  await cache.put("/", page);
}

// Return the page of this version. During an upgrade other servers may respond with another version's, whose files are not
// cached here. If only such servers respond, the browser tries again at the next visit.
async function fetchOwnPage() {
  for (let tries = 0; tries < 5; tries++) {
    const page = await fetch("/");
    if (page.ok && (await page.clone().text()).includes(ENTRY)) return page;
  }
  throw new Error("the page of this version did not come");
}

// Delete old versions except the previous one, which open pages still use.
async function deleteOldCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(SHELL_PREFIX) && name !== SHELL_PREFIX + VERSION);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

// Return the page from the network; the cached one if the network is slow or fails.
async function pageResponse(request) {
  const cached = await (await caches.open(SHELL_PREFIX + VERSION)).match("/");
  const fresh = fetch(request).then((answer) => (answer.status >= 500 && cached ? cached : answer));
  if (!cached) return fresh;
  const late = new Promise((resolve) => setTimeout(resolve, PAGE_TIMEOUT, cached));
  return Promise.race([fresh, late]).catch(() => cached);
}

// Return a file from the cache first: an address contains the hash of its content.
async function fileResponse(request, path) {
  const cached = await caches.match(path);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok && isLargeAndRare(path)) {
    const copy = answer.clone();
    caches
      .open(SHELL_PREFIX + VERSION)
      .then((cache) => cache.put(path, copy))
      .catch(() => {});
  }
  return answer;
}

// Store photos that were shared with the app until the player decides about them. Any website may send such a form.
async function receiveShared(request) {
  try {
    const sent = (await request.formData()).getAll("photo");
    const cache = await caches.open(SHARED);
    const stored = (await cache.keys()).filter(({ url }) => !url.endsWith(INCOMPLETE_MARK));
    const room = MAX_SHARED - stored.length;
    const pictures = sent.filter(isAcceptedPhoto).slice(0, Math.max(0, room));
    if (!pictures.length) return Response.redirect("/?shared=lost", 303);
    // Another window of the page may ask the player.
    if (pictures.length < sent.length) await cache.put(INCOMPLETE_MARK, new Response());
    for (const picture of pictures) {
      const headers = { "Content-Type": picture.type, "X-Name": encodeURIComponent(picture.name) };
      await cache.put(`/shared/${Date.now()}-${crypto.randomUUID()}`, new Response(picture, { headers }));
    }
  } catch {
    return Response.redirect("/?shared=lost", 303);
  }
  return Response.redirect("/?shared", 303);
}

const isAcceptedPhoto = (file) => file instanceof File && file.type.startsWith("image/") && file.size <= MAX_PHOTO_BYTES;
