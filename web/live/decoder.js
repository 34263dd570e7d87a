// Reads QR codes in frames of the camera, in a worker of its own. Nothing of it is loaded before `openDecoder` is called.
//
//   const decoder = await openDecoder();
//   const codes = await decoder.decode(frame); // [{ text, quad }], or null: the frame was let go
//   decoder.close();

const SCRIPT = "/assets/vendor/zxing-reader.js";
const BINARY = "/assets/vendor/zxing-reader.wasm";
const WORKER = "/assets/live/worker.js";

const LOADING = 60_000; // milliseconds; half a megabyte over a poor network
const READING = 10_000; // milliseconds; a frame takes a tenth of a second, on an old phone half a second
const MAX_SIDE = 8192; // pixels of a frame's side; no camera's video has more
const FALLS = 3; // failures one after the other, after which the decoder gives up

// What went wrong, by `reason`:
//   unsupported  this browser cannot do it          unreachable  the decoder could not be loaded: try again later
//   bad-frame    not a frame, or closed already     too-large    a side of the frame has more than 8192 pixels
//   crashed      the decoder failed on this frame   timeout      it took too long; after both the next frame is tried anew
//   given-up     it failed on three frames in a row closed       `close` was called
// After `unsupported`, `unreachable` and `given-up` take still pictures instead.
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
// `decode` takes an ImageData, an ImageBitmap or a VideoFrame, of any of which nothing is left to the caller: it goes to
// the worker, or is closed. It gives the codes read, each with its `text` and its `quad`: four [x, y] in pixels of the
// frame, y downwards, from the code's own top left clockwise as it is printed. Only one frame is read at a time: one
// that comes while another is read is let go, and gives null. A picture of more than 1920 x 1440 pixels is shrunk first.
export async function openDecoder({ patience = READING } = {}) {
  if (!isSupported()) throw new DecoderError("unsupported", "no workers, wasm or canvases outside of a page");
  let worker = await start();
  let stop = null; // ends the frame that is read
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

// A worker that has loaded the decoder.
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

// Send a message to a worker and return its answer.
function ask(worker, message, transfer, patience) {
  return new Promise((resolve, reject) => {
    const settle = (done, value) => {
      clearTimeout(clock);
      worker.onmessage = worker.onerror = null;
      done(value);
    };
    const fail = (reason, detail) => settle(reject, new DecoderError(reason, detail));
    const clock = setTimeout(() => fail("timeout", `no answer in ${patience} ms`), patience);
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
