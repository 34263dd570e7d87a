import { describe, expect, it } from "vitest";
import { cardsOf, cellsOf } from "./spreadsheet";

describe("a spreadsheet of cards", () => {
  it("is separated by the sign in its first row, and keeps separators and line ends in quotation marks", () => {
    expect(cellsOf('\uFEFFname,text\r\n"Tea, green","a ""b""\nc"\r\n\r\n')).toEqual([
      ["name", "text"],
      ["Tea, green", 'a "b"\nc'],
    ]);
    expect(cellsOf("name\tworth\nTea\t2,5")).toEqual([
      ["name", "worth"],
      ["Tea", "2,5"],
    ]);
  });

  it("may name its columns in each language, also with the language of their texts", () => {
    const { cards, unknown } = cardsOf("Name;Name de;Text (fr);Wert;Farbe;Note\nTea;Tee;Bois;3;#2A9159;x\n;;;4;;", "en");
    expect(cards).toEqual([{ name: { en: "Tea", de: "Tee" }, text: { fr: "Bois" }, fields: { worth: "3", ink: "#2A9159" } }]);
    expect(unknown).toEqual(["Note"]);
  });
});
