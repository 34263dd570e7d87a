// The QR reader of the live camera view.

import { useEffect, useRef, useState } from "preact/hooks";

const FRAME_INTERVAL = 60; // milliseconds between two frames: fast enough for a hand, and the phone stays cool

const STOP_REASONS = new Set(["unsupported", "unreachable", "given-up"]);

// Read the codes in the camera's frames. `onCodes` gets the codes and the size of a frame. Returns why reading has stopped
// ("unsupported", "unreachable", "given-up"), or null.
export function useCodeReader(video, lens, onCodes) {
  const [decoder, setDecoder] = useState(null);
  const [off, setOff] = useState(null);
  const latest = useRef(onCodes);
  latest.current = onCodes;

  useEffect(() => {
    let cancelled = false;
    let opened = null;
    const open = async () => {
      const { openDecoder } = await import("../../live/decoder");
      opened = await openDecoder();
      if (cancelled) opened.close();
      else setDecoder(opened);
    };
    open().catch((error) => cancelled || setOff(STOP_REASONS.has(error.reason) ? error.reason : "unreachable"));
    return () => {
      cancelled = true;
      opened?.close();
    };
  }, []);

  useEffect(() => {
    if (!decoder || !lens) return;
    let cancelled = false;
    let timer = null;
    const readFrame = async () => {
      try {
        const frame = await frameOf(video.current);
        if (frame) {
          const size = sizeOf(frame);
          const codes = await decoder.decode(frame);
          if (codes && !cancelled) latest.current(codes, size);
        }
      } catch (error) {
        if (cancelled) return;
        if (STOP_REASONS.has(error.reason)) return setOff(error.reason);
        // Other failures cost this frame only.
      }
      if (!cancelled) timer = setTimeout(readFrame, FRAME_INTERVAL);
    };
    readFrame();
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [decoder, lens]);

  return off;
}

const sizeOf = (frame) => [frame.displayWidth ?? frame.width, frame.displayHeight ?? frame.height];

// Return the current frame as it is displayed, null if there is none.
async function frameOf(video) {
  if (!video?.videoWidth || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  if (typeof VideoFrame === "function") {
    const frame = new VideoFrame(video);
    // Some browsers return frames in the sensor's orientation.
    if (frame.displayWidth === video.videoWidth) return frame;
    frame.close();
  }
  return createImageBitmap(video);
}
