import { beforeEach, expect, test, vi } from "vitest";
import { formatDateTime } from "./i18n";

const NOW = Date.parse("2026-11-23T20:00:00Z");
const [TODAY, LATER] = ["2026-11-23T21:05:00Z", "2026-11-24T08:05:00Z"];

function page(language: string, ...languages: string[]) {
  vi.stubGlobal("document", { documentElement: { lang: language } });
  vi.stubGlobal("navigator", { languages });
}

// Intl puts narrow spaces before "pm".
const shown = (time: string, zone = "UTC") => formatDateTime(time, zone, NOW).replace(/\s/g, " ");

beforeEach(() => vi.unstubAllGlobals());

test.each([
  ["en", ["en-GB", "en-US"], "21:05", "Tue 24 Nov, 08:05"],
  ["en", ["de-DE", "en-US"], "9:05 PM", "Tue, Nov 24, 8:05 AM"],
  ["en", ["de-DE"], "9:05 PM", "Tue, Nov 24, 8:05 AM"],
  ["de", ["en-GB", "de-AT"], "21:05", "Di., 24. Nov., 08:05"],
  ["fr", ["fr-CA", "fr"], "21 h 05", "mar. 24 nov., 08 h 05"],
])("times in %s follow the reader's own region among %j, without a date today", (language, languages, today, later) => {
  page(language, ...languages);
  expect([shown(TODAY), shown(LATER)]).toEqual([today, later]);
});

test("today is the day in the game's time zone", () => {
  page("en", "en-GB");
  expect(shown(TODAY, "Europe/Athens")).toBe("23:05");
  expect(shown("2026-11-23T14:00:00Z", "Asia/Tokyo")).toBe("Mon 23 Nov, 23:00");
});
