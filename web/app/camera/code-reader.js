import { useEffect, useRef, useState } from "preact/hooks";

const PAUSE = 60; // milliseconds between two frames: a hand is no faster, and a phone stays cooler

const OFF = new Set(["unsupported", "unreachable", "given-up"]);

// Read the codes in what the camera shows. `onCodes` gets the codes of a frame and the frame's size. Returns why nothing
// is read any more ("unsupported", "unreachable", "given-up"), or null.
export function useReader(video, lens, onCodes) {
  const [decoder, setDecoder] = useState(null);
  const [off, setOff] = useState(null);
  const latest = useRef(onCodes);
  latest.current = onCodes;

  useEffect(() => {
    let gone = false;
    let opened = null;
    const open = async () => {
      const { openDecoder } = await import("../../live/decoder.js");
      opened = await openDecoder();
      if (gone) opened.close();
      else setDecoder(opened);
    };
    open().catch((error) => gone || setOff(OFF.has(error.reason) ? error.reason : "unreachable"));
    return () => {
      gone = true;
      opened?.close();
    };
  }, []);

  useEffect(() => {
    if (!decoder || !lens) return;
    let gone = false;
    let clock = null;
    const look = async () => {
      try {
        const frame = await frameOf(video.current);
        if (frame) {
          const size = sizeOf(frame);
          const codes = await decoder.decode(frame);
          if (codes && !gone) latest.current(codes, size);
        }
      } catch (error) {
        if (gone) return;
        if (OFF.has(error.reason)) return setOff(error.reason);
        // Anything else costs this frame alone.
      }
      if (!gone) clock = setTimeout(look, PAUSE);
    };
    look();
    return () => {
      gone = true;
      clearTimeout(clock);
    };
  }, [decoder, lens]);

  return off;
}

const sizeOf = (frame) => [frame.displayWidth ?? frame.width, frame.displayHeight ?? frame.height];

// The frame that is shown now, upright as it is shown; null while there is none.
async function frameOf(video) {
  if (!video?.videoWidth || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  if (typeof VideoFrame === "function") {
    const frame = new VideoFrame(video);
    // In some browsers a frame lies as the sensor does, not as the phone is held.
    if (frame.displayWidth === video.videoWidth) return frame;
    frame.close();
  }
  return createImageBitmap(video);
}
