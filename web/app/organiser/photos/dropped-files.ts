// Photos in what was dropped, pasted or chosen: files and whole folders, in natural order.

// A file that was dropped, pasted or chosen, with its path below the dropped folder, and handles if the browser has them.
export type FileEntry = { file: File; path: string; handle?: FileSystemFileHandle; root?: FileHandle };
export type FileHandle = FileSystemFileHandle | FileSystemDirectoryHandle;

const PHOTO_NAME = /\.(jpe?g|jfif|png|webp|heic|heif|tiff?|pdf)$/i;
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export const ACCEPT = "image/*,.heic,.heif,.tif,.tiff,application/pdf";
const isPicture = ({ file, path }: FileEntry) =>
  !path.split("/").pop()?.startsWith(".") && (/^image\//.test(file.type) || PHOTO_NAME.test(path));

// Return the photos among files in natural order, and the number of other files.
export function sortPhotos(entries: FileEntry[]) {
  const pictures = entries.filter(isPicture).sort((a, b) => collator.compare(a.path, b.path));
  return { pictures, others: entries.length - pictures.length };
}

export const chosenFiles = (files: Iterable<File>): FileEntry[] =>
  [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

// Return all files of a drop, including those in folders. Its items are invalid after the event, so all are taken at once.
export async function droppedFiles(transfer: DataTransfer): Promise<FileEntry[]> {
  const items = [...(transfer.items ?? [])].filter((item) => item.kind === "file");
  const taken = items.map((item) => ({
    handle: item.getAsFileSystemHandle?.().catch(() => null),
    entry: item.webkitGetAsEntry?.() ?? null,
    file: item.getAsFile(),
  }));
  if (!taken.length) return chosenFiles(transfer.files ?? []);
  const found: FileEntry[] = [];
  for (const { handle, entry, file } of taken) {
    const kept = await handle;
    if (kept) await fromHandle(kept, "", kept, found);
    else if (entry) await fromEntry(entry, "", found);
    else if (file) found.push({ file, path: file.name });
  }
  return found;
}

// Handles, where browsers have them, open the same file again after a reload.
async function fromHandle(handle: FileHandle, folder: string, root: FileHandle, found: FileEntry[]) {
  const path = folder + handle.name;
  if ("getFile" in handle) found.push({ file: await handle.getFile(), path, handle, root });
  else for await (const child of handle.values()) await fromHandle(child, `${path}/`, root, found);
}

async function fromEntry(entry: FileSystemEntry, folder: string, found: FileEntry[]) {
  const path = folder + entry.name;
  if (isFile(entry)) {
    found.push({ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // The entries of a folder come in portions.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const child of some) await fromEntry(child, `${path}/`, found);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

// File handles, which only some browsers have.
declare global {
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileHandle | null>;
  }
  interface FileSystemHandle {
    requestPermission(options: { mode: "read" }): Promise<PermissionState>;
  }
  interface FileSystemDirectoryHandle {
    values(): AsyncIterable<FileHandle>;
  }
}
