// Icons.

const PATHS = {
  camera:
    "M4 8h3.2L9 5.5h6L16.8 8H20a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 4 8zM12 16.6a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8z",
  picture:
    "M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5zM3.5 16.5l5-5 4 4 3-2.5 5 4.5M16 9.6a.9.9 0 1 0 0-1.8.9.9 0 0 0 0 1.8z",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14",
  again: "M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 4v4.5H15",
  light: "M12 3.5a6 6 0 0 1 3.5 10.9c-.7.6-1 1.2-1 2.1h-5c0-.9-.3-1.5-1-2.1A6 6 0 0 1 12 3.5zM9.8 19h4.4M10.6 21.3h2.8",
  open: "M6.5 9.5l5.5 5 5.5-5",
  close: "M6 6l12 12M18 6L6 18",
  back: "M14.5 5.5L8 12l6.5 6.5",
  next: "M9.5 5.5L16 12l-6.5 6.5",
  add: "M12 5v14M5 12h14",
  less: "M5 12h14",
  whole: "M4.5 9V4.5H9M15 4.500h4.5V9M19.500 15v4.500H15M9 19.500H4.500V15",
  check: "M5 12.5l4.5 4.5L19 7.5",
  bin: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7",
  print: "M7 9V4h10v5M7 17H4.5v-6.5A1.5 1.5 0 0 1 6 9h12a1.5 1.5 0 0 1 1.5 1.5V17H17M7 14h10v6H7z",
  envelope: "M4 6h16v12H4zM4 7l8 6 8-6",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3.5 19a5.5 5.5 0 0 1 11 0M15.5 5.4a3 3 0 0 1 0 5.2M17 13.8a5.5 5.5 0 0 1 3.5 5.2",
  clock: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 7.5V12l3 2",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  menu: "M4.5 7h15M4.5 12h15M4.5 17h15",
  question: "M9 9.2a3 3 0 1 1 4.2 2.8c-.8.4-1.2.9-1.2 1.8v.4M12 17.5v.2",
  trophy: "M8 4.5h8v6a4 4 0 0 1-8 0zM8 6H4.5v1.5A3.5 3.5 0 0 0 8 11M16 6h3.5v1.5A3.5 3.5 0 0 1 16 11M12 14.5V18M8.5 19.5h7",
  list: "M8.5 6.5h11M8.5 12h11M8.5 17.5h11M4.5 6.5h.2M4.5 12h.2M4.5 17.5h.2",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3.5v2.7M12 17.8v2.7M3.5 12h2.7M17.8 12h2.7M6 6l1.9 1.9M16.1 16.1L18 18M18 6l-1.9 1.9M7.9 16.1L6 18",
  zoom: "M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM15.5 15.5L20 20M8.5 11h5M11 8.5v5",
  torch: "M13 3.5L6.5 13H11l-1 7.5L17.5 11H13z",
  send: "M4 12l16-7.5-5 15.5-3.5-6zM11.5 13.5L20 4.5",
  offline:
    "M3.5 9.5a12.5 12.5 0 0 1 4-2.5M11 6.1a12.5 12.5 0 0 1 9.5 3.4M6.5 13a8 8 0 0 1 4-2.200M14.5 11.2a8 8 0 0 1 3 1.800M9.5 16.3a4 4 0 0 1 5 0M12 19.200v.2M4 4l16 16",
  full: "M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15",
  qr: "M4.5 4.5h5v5h-5zM14.5 4.5h5v5h-5zM4.5 14.5h5v5h-5zM14.5 14.5h1.500M19.500 14.500v1.500M14.500 18v1.500M17.500 17.500h.1M18 19.500h1.500",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1",
};

export type IconName = keyof typeof PATHS;

// A line drawing for a button that also has a text.
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
