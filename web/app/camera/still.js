// A picture in the camera's full size, which is much more than its video shows.

const PATIENCE = 8000; // milliseconds; some phones never answer
const QUALITY = 0.92;

// Take a picture and return it as a File; null where nothing could be taken.
export async function takeStill(track, video) {
  const blob = (await photograph(track).catch(() => null)) ?? (await frameOf(video).catch(() => null));
  if (!blob) return null;
  const ending = blob.type.split("/")[1] || "jpeg";
  return new File([blob], `deck-${new Date().toISOString().replace(/[:.]/g, "-")}.${ending}`, { type: blob.type, lastModified: Date.now() });
}

async function photograph(track) {
  if (typeof globalThis.ImageCapture?.prototype?.takePhoto !== "function") return null;
  const camera = new ImageCapture(track);
  const { imageWidth, imageHeight } = await within(camera.getPhotoCapabilities()).catch(() => ({}));
  const size = imageWidth?.max && imageHeight?.max ? { imageWidth: imageWidth.max, imageHeight: imageHeight.max } : {};
  const blob = await within(camera.takePhoto(size)).catch(() => within(camera.takePhoto()));
  return blob?.size ? blob : null;
}

async function frameOf(video) {
  if (!video.videoWidth) return null;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

const within = (promise) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error("the camera does not answer")), PATIENCE))]);
