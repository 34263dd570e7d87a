// Reads the QR codes in frames, one at a time, with a WebAssembly build of the decoder that the server tries first.
//
// A classic worker, which every browser with WebAssembly has. The page sends the addresses of the decoder and its wasm file,
// then frames. Every message gets one response: `ready`, `codes`, `unreachable` (not loaded), `refused` (not a frame), or
// `broken` (the decoder failed: start again).

const MAX_PIXELS = 1920 * 1440; // larger frames are shrunk: reading them takes longer than a hand is still
const MOST = 120; // codes in a frame; a full table has two for each card
// Enlargement of a frame with codes that were found but not read: the decoder needs two pixels for a module.
const LARGER = 2;
const MAX_LARGER_PIXELS = 2880 * 1620;
const FRACTION = 256; // fixed-point fractions of a pixel in each direction: results are scaled by 65536
const HALF = 32768; // for rounding

const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
let wasm = null;
let options = null;

async function load({ script, binary }) {
  importScripts(script);
  const answer = await fetch(binary);
  if (!answer.ok) throw new Error(`${answer.status} for the decoder`);
  const compiled = await WebAssembly.compileStreaming(answer);
  // By default the package would load its wasm file from another server.
  const instantiateWasm = (imports, done) => {
    WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled));
    return {};
  };
  wasm = await ZXingWASM.prepareZXingModule({ overrides: { instantiateWasm }, fireImmediately: true });
  const { binarizers, characterSets, defaultReaderOptions, eanAddOnSymbols, encodeFormats, textModes } = ZXingWASM;
  options = {
    ...defaultReaderOptions,
    // As on the server: the general format includes Micro QR, which reads digits in noise.
    formats: encodeFormats(["QRCodeModel2"]),
    tryInvert: false,
    returnErrors: true,
    maxNumberOfSymbols: MOST,
    binarizer: binarizers.indexOf("LocalAverage"),
    characterSet: characterSets.indexOf("Unknown"),
    eanAddOnSymbol: eanAddOnSymbols.indexOf("Ignore"),
    textMode: textModes.indexOf("Plain"),
  };
}

// A part of the decoder's memory that grows as needed.
class Room {
  start = 0;
  size = 0;

  // Return the memory for some pixels. It is valid until the decoder is called or another room grows.
  bytes(size) {
    if (this.size < size) {
      wasm._free(this.start);
      [this.start, this.size] = [wasm._malloc(size), size];
      if (!this.start) throw new Error("no memory for the frame");
    }
    return this.view(size);
  }

  view(size) {
    return wasm.HEAPU8.subarray(this.start, this.start + size);
  }
}

const rooms = { frame: new Room(), larger: new Room() };

// Return a frame's pixels, and how many there are for one of the frame.
async function pixelsOf(frame) {
  const width = frame.displayWidth ?? frame.width;
  const height = frame.displayHeight ?? frame.height;
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)));
  if (frame instanceof ImageData && scale === 1) return { image: frame, scale };
  const source = frame instanceof ImageData ? await createImageBitmap(frame) : frame;
  try {
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
  } finally {
    source.close();
  }
  return { image: context.getImageData(0, 0, canvas.width, canvas.height), scale };
}

// Copy an image to the decoder's memory in grey.
function placeGrey({ data, width, height }) {
  const size = width * height;
  const grey = rooms.frame.bytes(size);
  for (let to = 0, from = 0; to < size; to++, from += 4) {
    grey[to] = (306 * data[from] + 601 * data[from + 1] + 117 * data[from + 2] + 512) >> 10;
  }
  return { room: rooms.frame, width, height, scale: 1 };
}

// Return, for each enlarged pixel of a row or column, the original ones beside it and the fraction between them.
function steps(size, larger) {
  return Array.from({ length: larger }, (_, at) => {
    const place = Math.min(size - 1, Math.max(0, ((at + 0.5) * size) / larger - 0.5));
    const first = Math.min(size - 1, Math.floor(place));
    return [first, Math.min(size - 1, first + 1), Math.round((place - first) * FRACTION)];
  });
}

// Copy an enlarged grey image to the decoder's memory.
function placeLarger({ room, width, height }) {
  const scale = Math.min(LARGER, Math.sqrt(MAX_LARGER_PIXELS / (width * height)));
  const [wide, high] = [Math.floor(width * scale), Math.floor(height * scale)];
  const to = rooms.larger.bytes(wide * high);
  const from = room.view(width * height);
  const columns = steps(width, wide);
  const [left, right, share] = [0, 1, 2].map((part) => Int32Array.from(columns, (column) => column[part]));
  const mixed = new Int32Array(width);
  let at = 0;
  for (const [above, below, part] of steps(height, high)) {
    const [up, down] = [above * width, below * width];
    for (let x = 0; x < width; x++) mixed[x] = from[up + x] * (FRACTION - part) + from[down + x] * part;
    for (let x = 0; x < wide; x++) {
      to[at++] = (mixed[left[x]] * (FRACTION - share[x]) + mixed[right[x]] * share[x] + HALF) >> 16;
    }
  }
  return { room: rooms.larger, width: wide, height: high, scale: wide / width };
}

// Read a grey image; positions are in pixels of the original frame. `text` is null for a code that was found but not read.
function read({ room, width, height, scale }) {
  const found = wasm.readBarcodesFromPixmap(room.start, width, height, options);
  try {
    return Array.from({ length: found.size() }, (_, at) => found.get(at)).map(({ isValid, text, position }) => {
      const { topLeft, topRight, bottomRight, bottomLeft } = position;
      const quad = [topLeft, topRight, bottomRight, bottomLeft].map(({ x, y }) => [x / scale, y / scale]);
      return { text: isValid ? text : null, quad };
    });
  } finally {
    found.delete();
  }
}

const middle = ({ quad }) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis] / quad.length, 0));
const reach = ({ quad: [a, , c] }) => Math.hypot(a[0] - c[0], a[1] - c[1]) / 2;

function areAtOnePlace(one, other) {
  const [[x, y], [u, v]] = [middle(one), middle(other)];
  return Math.hypot(x - u, y - v) < Math.max(reach(one), reach(other)) / 2;
}

function codesIn(image, scale) {
  const grey = placeGrey(image);
  const found = read(grey);
  let codes = found.filter(({ text }) => text !== null);
  if (codes.length < found.length) {
    const more = read(placeLarger(grey)).filter(({ text }) => text !== null);
    codes = [...codes, ...more.filter((one) => !codes.some((other) => areAtOnePlace(one, other)))];
  }
  return codes.map(({ text, quad }) => ({ text, quad: quad.map(([x, y]) => [x / scale, y / scale]) }));
}

async function answerTo(message) {
  if (message.script) {
    try {
      await load(message);
      return { ready: true };
    } catch (error) {
      return { unreachable: String(error) };
    }
  }
  let pixels;
  try {
    pixels = await pixelsOf(message.frame);
  } catch (error) {
    return { refused: String(error) };
  }
  try {
    return { codes: codesIn(pixels.image, pixels.scale) };
  } catch (error) {
    return { broken: String(error) };
  }
}

self.onmessage = async ({ data }) => postMessage(await answerTo(data));
