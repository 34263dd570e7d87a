"""A replacement of the camera API, which shows given pictures without a device."""

from __future__ import annotations

import base64
import json

# `window.view` is the index of the picture that is shown, and `window.shaking` moves it.
_SCRIPT = """
  Object.assign(window, { view: 0, shaking: SHAKING });
  navigator.mediaDevices.getUserMedia = async () => {
    const images = await Promise.all(PICTURES.map((data) =>
      createImageBitmap(new Blob([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))]))));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [images[0].width, images[0].height];
    const context = canvas.getContext("2d");
    setInterval(() => {
      const shift = () => (window.shaking ? 200 * Math.random() - 100 : 0);
      context.drawImage(images[window.view], shift(), shift());
    }, 80);
    return canvas.captureStream();
  };
"""


def camera_script(*pictures: bytes, shaking: bool = False) -> str:
    """Return a script that replaces the camera of a page."""
    coded = json.dumps([base64.b64encode(picture).decode() for picture in pictures])
    return _SCRIPT.replace("PICTURES", coded).replace("SHAKING", json.dumps(shaking))
