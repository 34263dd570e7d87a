// The short names of editions, cards, rules and other things in an edition.

export const MAX_SLUG_LENGTH = 60;

// Return a slug for a title, such as "my-edition" for "My edition!".
export const slugOf = (title: string) =>
  title
    .normalize("NFD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/ß/g, "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, MAX_SLUG_LENGTH);
