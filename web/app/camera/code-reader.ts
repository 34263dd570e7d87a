// The QR reader of the live camera view.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Lens } from "./lens";
import type { ReadCode } from "./outline-tracking";

const FRAME_INTERVAL = 60; // milliseconds between two frames: fast enough for a hand, and the phone stays cool

export type FrameSize = [width: number, height: number];
type Decoder = { decode: (frame: ImageBitmap | VideoFrame) => Promise<ReadCode[] | null>; close: () => void };

// Errors of the decoder for which no further frame can be read.
const FINAL = ["unsupported", "unreachable", "given-up"];
const isFinal = (error: unknown) => FINAL.includes((error as { reason?: string }).reason ?? "");

// Read the codes in the camera's frames. `onCodes` gets the codes and the size of a frame. Returns true once no
// code can be read.
export function useCodeReader(
  video: RefObject<HTMLVideoElement>,
  lens: Lens | null,
  onCodes: (codes: ReadCode[], size: FrameSize) => void,
): boolean {
  const [decoder, setDecoder] = useState<Decoder | null>(null);
  const [off, setOff] = useState(false);
  const latest = useRef(onCodes);
  latest.current = onCodes;

  useEffect(() => {
    let cancelled = false;
    let opened: Decoder | null = null;
    const open = async () => {
      const { openDecoder } = await import("../../live/decoder");
      const made: Decoder = await openDecoder();
      opened = made;
      if (cancelled) made.close();
      else setDecoder(made);
    };
    open().catch(() => cancelled || setOff(true));
    return () => {
      cancelled = true;
      opened?.close();
    };
  }, []);

  useEffect(() => {
    if (!decoder || !lens) return;
    let cancelled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
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
        if (isFinal(error)) return setOff(true);
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

const sizeOf = (frame: ImageBitmap | VideoFrame): FrameSize =>
  "displayWidth" in frame ? [frame.displayWidth, frame.displayHeight] : [frame.width, frame.height];

// Return the current frame as it is displayed, null if there is none.
async function frameOf(video: HTMLVideoElement | null): Promise<ImageBitmap | VideoFrame | null> {
  if (!video?.videoWidth || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  if (typeof VideoFrame === "function") {
    const frame = new VideoFrame(video);
    // Some browsers return frames in the sensor's orientation.
    if (frame.displayWidth === video.videoWidth) return frame;
    frame.close();
  }
  return createImageBitmap(video);
}
