// What this browser remembers of the pictures it sends, so that a reload forgets none and sends none twice: names, sizes and
// places, and handles to the files where there are any; never the pictures themselves.

import { openDB } from "idb";

let base;
const open = () =>
  (base ??= openDB("haggle-desk", 1, {
    upgrade: (database) => database.createObjectStore("files", { keyPath: "id" }).createIndex("game", "game"),
  }));

// A browser that keeps nothing works on; only a reload then forgets.
const trying = async (work, otherwise) => {
  try {
    return await work(await open());
  } catch {
    return otherwise;
  }
};

export const recall = (game) => trying((database) => database.getAllFromIndex("files", "game", game), []);

export const remember = (records) =>
  trying(async (database) => {
    const change = database.transaction("files", "readwrite");
    await Promise.all([...records.map((record) => change.store.put(record)), change.done]);
  });

export const forget = (ids) =>
  trying(async (database) => {
    const change = database.transaction("files", "readwrite");
    await Promise.all([...ids.map((id) => change.store.delete(id)), change.done]);
  });
