import { html } from "htm/preact";

const PATHS = {
  camera: "M4 8h3.2L9 5.5h6L16.8 8H20a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 4 8zM12 16.6a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8z",
  picture: "M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5zM3.5 16.5l5-5 4 4 3-2.5 5 4.5M16 9.6a.9.9 0 1 0 0-1.8.9.9 0 0 0 0 1.8z",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14",
  again: "M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 4v4.5H15",
  light: "M12 3.5a6 6 0 0 1 3.5 10.9c-.7.6-1 1.2-1 2.1h-5c0-.9-.3-1.5-1-2.1A6 6 0 0 1 12 3.5zM9.8 19h4.4M10.6 21.3h2.8",
  open: "M6.5 9.5l5.5 5 5.5-5",
};

// A line drawing for a button. It always stands beside words.
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d=${PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
  </svg>`;
}
