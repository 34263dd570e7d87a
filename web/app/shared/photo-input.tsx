// Ways to choose a photo: a button, drag and drop, or paste.

import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";

const ACCEPT = "image/*,.heic,.heif,application/pdf";

type PhotoInputProps = {
  label: string;
  text?: string;
  icon: IconName;
  plain?: boolean;
  capture?: "environment" | "user";
  secondary?: boolean;
  focus?: string;
} & ({ multiple: true; onChoose: (files: File[]) => void } | { multiple?: false; onChoose: (file: File) => void });

// A button to take or choose a photo. `capture` opens the phone's camera; with `multiple`, `onChoose` gets an array of files.
// `text` is a shorter text than `label`, which contains it; a `plain` button looks like a link.
export function PhotoInput({ label, text = label, icon, capture, secondary, plain, focus, ...choice }: PhotoInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (event: Event & { currentTarget: HTMLInputElement }) => {
    const files = [...(event.currentTarget.files ?? [])];
    // Otherwise choosing the same file again would not be a change.
    event.currentTarget.value = "";
    const [first] = files;
    if (!first) return;
    if (choice.multiple) choice.onChoose(files);
    else choice.onChoose(first);
  };
  return (
    <span class="chooser">
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        capture={capture}
        multiple={choice.multiple}
        onChange={take}
        hidden
        tabIndex={-1}
        aria-label={label}
      />
      <button
        type="button"
        class={plain ? "plain" : secondary ? "action secondary" : "action"}
        aria-label={text === label ? undefined : label}
        data-focus={focus}
        onClick={() => input.current?.click()}
      >
        <Icon name={icon} />
        {text}
      </button>
    </span>
  );
}

// Call `onPhoto` with the first file that is dropped or pasted. Return true while one is dragged over the page.
export function usePhotoDrop(onPhoto: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onPhoto);
  latest.current = onPhoto;

  useEffect(() => {
    const carriesFile = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const drag = (event: DragEvent) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) setOver(false);
    };
    const take = (event: Event, data: DataTransfer | null) => {
      const file = data?.files?.[0];
      if (!file) return;
      event.preventDefault();
      setOver(false);
      latest.current(file);
    };
    const drop = (event: DragEvent) => take(event, event.dataTransfer);
    const paste = (event: ClipboardEvent) => take(event, event.clipboardData);
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("dragenter", drag, { signal });
    window.addEventListener("dragover", drag, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("drop", drop, { signal });
    window.addEventListener("paste", paste, { signal });
    return () => controller.abort();
  }, []);
  return over;
}
