// The pictures that this page itself has sent, by the id under which they waited: shown from here, not from the server.

const files = new Map();

// The file of a waiting picture.
export function fileOf(item) {
  if (item.file) files.set(item.id, item.file);
  return files.get(item.id) ?? null;
}

export const fileOfSent = (id) => files.get(id) ?? null;
