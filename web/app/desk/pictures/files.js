// Pictures out of what was dropped, pasted or chosen: files and whole folders, in the order in which people number them.

const PICTURE = /\.(jpe?g|jfif|png|webp|heic|heif|tiff?|pdf)$/i;
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export const ACCEPT = "image/*,.heic,.heif,.tif,.tiff,application/pdf";
const isPicture = ({ file, path }) => !path.split("/").pop().startsWith(".") && (/^image\//.test(file.type) || PICTURE.test(path));

// Of entries { file, path, handle? }: the pictures in natural order, and how many other files there were.
export function sorted(entries) {
  const pictures = entries.filter(isPicture).sort((a, b) => collator.compare(a.path, b.path));
  return { pictures, others: entries.length - pictures.length };
}

export const chosen = (files) => [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

// All files of a drop, those in folders too. Its items are gone once the event is over, so each is taken at once.
export async function dropped(transfer) {
  const items = [...(transfer.items ?? [])].filter((item) => item.kind === "file");
  const taken = items.map((item) => ({
    handle: item.getAsFileSystemHandle?.().catch(() => null) ?? null,
    entry: item.webkitGetAsEntry?.() ?? null,
    file: item.getAsFile(),
  }));
  if (!taken.length) return chosen(transfer.files ?? []);
  const found = [];
  for (const { handle, entry, file } of taken) {
    const kept = await handle;
    if (kept) await fromHandle(kept, "", kept, found);
    else if (entry) await fromEntry(entry, "", found);
    else if (file) found.push({ file, path: file.name });
  }
  return found;
}

// Where the browser has them, handles: they open the same file again after the page was loaded anew.
async function fromHandle(handle, folder, root, found) {
  const path = folder + handle.name;
  if (handle.kind === "file") found.push({ file: await handle.getFile(), path, handle, root });
  else for await (const child of handle.values()) await fromHandle(child, `${path}/`, root, found);
}

async function fromEntry(entry, folder, found) {
  const path = folder + entry.name;
  if (entry.isFile) {
    found.push({ file: await new Promise((resolve, reject) => entry.file(resolve, reject)), path });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A folder is told in portions.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const child of some) await fromEntry(child, `${path}/`, found);
  }
}
