// Reads QR codes in camera frames, in a worker that is loaded by `openDecoder`.
//
//   const decoder = await openDecoder();
//   const codes = await decoder.decode(frame); // [{ text, quad }], or null: the frame was dropped
//   decoder.close();

import SCRIPT from "../node_modules/zxing-wasm/dist/iife/reader/index.js?url";
import BINARY from "../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm?url";
import WORKER from "./worker.js?url";

const LOADING = 60_000; // milliseconds; half a megabyte over a slow network
const READING = 10_000; // milliseconds; a frame takes a tenth of a second, half a second on an old phone
const MAX_SIDE = 8192; // pixels of a frame's side; more than any camera's video
const FALLS = 3; // consecutive failures after which the decoder gives up

// A failure, by `reason`:
//   unsupported  the browser cannot do it             unreachable  the decoder could not be loaded: try again later
//   bad-frame    not a frame, or already closed       too-large    a side of the frame has more than 8192 pixels
//   crashed      the decoder failed on this frame     timeout      it took too long; in both cases the next frame may work
//   given-up     it failed on three frames in a row   closed       `close` was called
// After `unsupported`, `unreachable` and `given-up` take photos instead.
export class DecoderError extends Error {
  constructor(reason, detail) {
    super(`${reason}: ${detail}`);
    this.name = "DecoderError";
    this.reason = reason;
  }
}

export const isSupported = () =>
  typeof Worker === "function" &&
  typeof globalThis.WebAssembly?.compileStreaming === "function" &&
  typeof OffscreenCanvas === "function";

// Load the decoder and return it: `decode`, `close`, and `busy`. Rejects with a DecoderError.
//
// `decode` takes an ImageData, an ImageBitmap or a VideoFrame, which is transferred to the worker or closed. It resolves to
// the codes, each with its `text` and its `quad`: four [x, y] in pixels of the frame, y downwards, clockwise from the code's
// own top left. Only one frame is read at a time: another one is dropped and gives null. Frames of more than 1920 x 1440
// pixels are shrunk.
export async function openDecoder({ patience = READING } = {}) {
  if (!isSupported()) throw new DecoderError("unsupported", "no workers, wasm or canvases outside of a page");
  let worker = await start();
  let stop = null; // stops reading the current frame
  let closed = false;
  let busy = false;
  let falls = 0;

  async function read(frame) {
    worker ??= await start();
    if (closed) throw new DecoderError("closed", "the decoder was closed");
    const answer = await new Promise((resolve, reject) => {
      stop = reject;
      ask(worker, { frame }, frame instanceof ImageData ? [frame.data.buffer] : [frame], patience).then(resolve, reject);
    });
    if (answer.refused) throw new DecoderError("bad-frame", answer.refused);
    if (answer.broken) throw new DecoderError("crashed", answer.broken);
    return answer.codes;
  }

  async function decode(frame) {
    if (closed || busy || falls >= FALLS) {
      letGo(frame);
      if (closed) throw new DecoderError("closed", "the decoder was closed");
      if (busy) return null;
      throw new DecoderError("given-up", `the decoder failed on ${FALLS} frames in a row`);
    }
    busy = true;
    try {
      check(frame);
      const codes = await read(frame);
      falls = 0;
      return codes;
    } catch (error) {
      letGo(frame);
      if (["crashed", "timeout"].includes(error.reason)) {
        falls += 1;
        worker?.terminate();
        worker = null;
      }
      throw error;
    } finally {
      busy = false;
      stop = null;
      if (closed) worker?.terminate();
    }
  }

  function close() {
    closed = true;
    worker?.terminate();
    stop?.(new DecoderError("closed", "the decoder was closed"));
  }

  return {
    decode,
    close,
    get busy() {
      return busy;
    },
  };
}

// Return a worker that has loaded the decoder.
async function start() {
  const worker = new Worker(WORKER, { name: "live-decoder" });
  try {
    const answer = await ask(worker, { script: SCRIPT, binary: BINARY }, [], LOADING);
    if (answer.unreachable) throw new Error(answer.unreachable);
    return worker;
  } catch (error) {
    worker.terminate();
    throw new DecoderError("unreachable", error.message);
  }
}

// Send a message to a worker and return its response.
function ask(worker, message, transfer, patience) {
  return new Promise((resolve, reject) => {
    const settle = (done, value) => {
      clearTimeout(timer);
      worker.onmessage = worker.onerror = null;
      done(value);
    };
    const fail = (reason, detail) => settle(reject, new DecoderError(reason, detail));
    const timer = setTimeout(() => fail("timeout", `no answer in ${patience} ms`), patience);
    worker.onmessage = ({ data }) => settle(resolve, data);
    worker.onerror = (event) => {
      event.preventDefault();
      fail("crashed", event.message ?? "the worker failed");
    };
    try {
      worker.postMessage(message, transfer);
    } catch (error) {
      fail("bad-frame", error.message);
    }
  });
}

function check(frame) {
  const sides = [frame?.displayWidth ?? frame?.width, frame?.displayHeight ?? frame?.height];
  if (!sides.every((side) => side > 0)) throw new DecoderError("bad-frame", "not a frame, or one that was closed");
  if (Math.max(...sides) > MAX_SIDE) throw new DecoderError("too-large", `a side has more than ${MAX_SIDE} pixels`);
}

const letGo = (frame) => frame?.close?.();
