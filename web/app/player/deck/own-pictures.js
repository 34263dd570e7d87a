// The pictures that this page itself has sent, by the id under which they waited: shown from here, not from the server.

const urls = new Map();

// The address of a waiting picture's bytes.
export function urlOf(item) {
  if (!urls.has(item.id) && item.file) urls.set(item.id, URL.createObjectURL(item.file));
  return urls.get(item.id) ?? null;
}

export const urlOfSent = (id) => urls.get(id) ?? null;

// Give the bytes back once the server's picture stands in their place.
export function release(id) {
  if (urls.has(id)) URL.revokeObjectURL(urls.get(id));
  urls.delete(id);
}
