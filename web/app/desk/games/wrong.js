// Move the focus to the first field of a form that is wrong, once it is marked.
export function focusWrong(form) {
  requestAnimationFrame(() => {
    const first = form.querySelector("[aria-invalid]");
    const folded = first?.closest("details");
    if (folded) folded.open = true;
    (first ?? form.querySelector(".field-wrong"))?.focus();
    (first ?? form.querySelector(".field-wrong"))?.scrollIntoView({ block: "center" });
  });
}
