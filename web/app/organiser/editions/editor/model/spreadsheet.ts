// Cards from a spreadsheet: rows that are separated by tabs, commas or semicolons, with a row of column names above them.

// Return the cells of rows, with quotation marks as spreadsheets write them. Empty rows are left out.
export function cellsOf(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const head = plain.split("\n", 1)[0] ?? "";
  const separator = ["\t", ";", ","].find((sign) => head.includes(sign)) ?? ",";
  const rows: string[][] = [[""]];
  let quoted = false;
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at] ?? "";
    const row = rows.at(-1) as string[];
    const last = row.length - 1;
    if (quoted && sign === '"' && plain[at + 1] === '"') {
      row[last] += '"';
      at++;
    } else if (sign === '"' && (quoted || row[last] === "")) quoted = !quoted;
    else if (!quoted && sign === separator) row.push("");
    else if (!quoted && sign === "\n") rows.push([""]);
    else row[last] += sign;
  }
  return rows.map((row) => row.map((cell) => cell.trim())).filter((row) => row.some(Boolean));
}

// The columns of cards; name and text may have a language, such as "name de" or "name.de".
const COLUMNS: Record<string, string> = {
  ...{ name: "name", title: "name", nom: "name", titel: "name", karte: "name", carte: "name", card: "name" },
  ...{ category: "category", kategorie: "category", catégorie: "category" },
  ...{ worth: "worth", value: "worth", points: "worth", wert: "worth", punkte: "worth", valeur: "worth" },
  ...{ ink: "ink", colour: "ink", color: "ink", farbe: "ink", couleur: "ink" },
  ...{ symbol: "symbol", symbole: "symbol", text: "text", texte: "text", slug: "slug", motif: "motif" },
};

// A row as a card: texts by language, and everything else as it is written.
export type ImportedCard = { name: Record<string, string>; text: Record<string, string>; fields: Record<string, string> };

// Return the cards of a spreadsheet, and the names of columns that no card has.
export function cardsOf(text: string, language: string): { cards: ImportedCard[]; unknown: string[] } {
  const [head = [], ...rows] = cellsOf(text);
  const columns = head.map((title) => {
    const [word = "", code] = title.toLowerCase().split(/[\s._(-]+/);
    return { title, field: COLUMNS[word], language: /^[a-z]{2}\)?$/.test(code ?? "") ? (code ?? "").slice(0, 2) : language };
  });
  const cards = rows.map((row) => {
    const card: ImportedCard = { name: {}, text: {}, fields: {} };
    columns.forEach(({ field, language: code }, at) => {
      const cell = row[at];
      if (!field || !cell) return;
      if (field === "name" || field === "text") card[field][code] = cell;
      else card.fields[field] = cell;
    });
    return card;
  });
  const named = cards.filter(({ name }) => Object.keys(name).length > 0);
  return { cards: named, unknown: columns.filter(({ title, field }) => title && !field).map(({ title }) => title) };
}
