// What one may type in a field: its text read as a value, or the reason why
// not. Ranges and units come with the catalog; nothing is known here.

import { count, unit_text } from "./format.js";
import type { FieldInfo } from "./types.js";

export type Read =
  | { ok: true; value: number | string | boolean }
  | { ok: false; message: string };

const kSuffixes: Record<string, number> = {
  k: 1e3,
  m: 1e6,
  b: 1e9,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
};

// "4096", "1,024", "1_000", "1e6", "64k", "128Ki", "7.5"; else NaN.
export function read_number(text: string): number {
  const plain = text.trim().replaceAll(/(?<=\d)[_,\s](?=\d{3})/g, "");
  const found =
    /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]{0,2})$/i.exec(plain);
  if (found === null) return Number.NaN;
  const suffix = (found[2] ?? "").toLowerCase();
  const scale = suffix === "" ? 1 : kSuffixes[suffix];
  return scale === undefined ? Number.NaN : Number(found[1]) * scale;
}

function range_text(info: FieldInfo): string {
  const unit = info.unit ? ` ${unit_text(info.unit)}` : "";
  if (info.lower !== undefined && info.upper !== undefined) {
    return `from ${count(info.lower)} to ${count(info.upper)}${unit}`;
  }
  if (info.lower !== undefined) return `${count(info.lower)}${unit} or more`;
  if (info.upper !== undefined) return `${count(info.upper)}${unit} or less`;
  return "";
}

function read_range(value: number, info: FieldInfo): Read {
  const below = info.lower !== undefined && value < info.lower;
  const above = info.upper !== undefined && value > info.upper;
  if (below || above) return { ok: false, message: `Use ${range_text(info)}.` };
  if (info.integral === true && !Number.isInteger(value)) {
    return { ok: false, message: "Use a whole number." };
  }
  return { ok: true, value };
}

export function read_field(text: string, info: FieldInfo): Read {
  if (info.type === "boolean") return { ok: true, value: text === "true" };
  if (info.type === "choice" || info.type === "text") {
    return { ok: true, value: text };
  }
  const value = read_number(text);
  if (Number.isNaN(value) || !Number.isFinite(value)) {
    const range = range_text(info);
    const want = range === "" ? "" : `, ${range}`;
    return { ok: false, message: `Not a number: enter one${want}.` };
  }
  return read_range(value, info);
}

// A value as one would type it.
export function to_text(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") {
    // A unit's factor may leave a last digit that nobody typed.
    return String(Number(value.toPrecision(12)));
  }
  return String(value);
}
