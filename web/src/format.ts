// Numbers to text for people. Nothing here decides anything: the core's
// numbers are only shown with fewer digits and in a unit one can read.
import { format } from "d3-format";

const whole = format(",.0f");
const one = format(",.1f");
const two = format(",.2f");
const three = format(".3f");
const significant = format(".3~r");

// About four figures with their zeros, so that a column of them lines up.
export function fixed(x: number): string {
  const size = Math.abs(x);
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  if (size >= 1e15) return format(".3~e")(x);
  if (size >= 1000) return whole(x);
  if (size >= 100) return one(x);
  if (size >= 1) return two(x);
  if (size >= 0.1) return three(x);
  if (size >= 0.001) return significant(x);
  return format(".2~e")(x);
}

// The same without zeros at the end: for a number that stands alone.
export function number(x: number): string {
  return fixed(x).replace(/\.0+$|(\.\d*?)0+$/, "$1");
}

// A whole number as it is, anything else as number().
export function count(x: number): string {
  return Number.isInteger(x) && Math.abs(x) < 1e15 ? whole(x) : number(x);
}

export const kGiB = 1024 ** 3;

// GiB without its unit: for table cells whose header names it.
export function gib(bytes: number): string {
  const x = bytes / kGiB;
  if (x === 0) return "0";
  if (Math.abs(x) < 0.005) return "<0.01";
  if (Math.abs(x) < 10) return two(x);
  return one(x);
}

interface Unit {
  unit: string;
  scale: number;
}

function pick(size: number, units: readonly Unit[]): Unit {
  const found = units.find((u) => Math.abs(size) >= u.scale);
  return found ?? (units[units.length - 1] as Unit);
}

const kTimes: readonly Unit[] = [
  { unit: "s", scale: 1 },
  { unit: "ms", scale: 1e-3 },
  { unit: "µs", scale: 1e-6 },
];

// The unit in which a table of times up to `largest` seconds reads well.
export function time_unit(largest: number): Unit {
  return pick(largest, kTimes);
}

export function in_unit(x: number, unit: Unit): string {
  const value = x / unit.scale;
  if (value === 0) return "0";
  if (Math.abs(value) < 0.005) return "<0.01";
  return Math.abs(value) < 100 ? two(value) : one(value);
}

export function time(seconds: number): string {
  if (seconds === 0) return "0 s";
  const unit = time_unit(seconds);
  return `${number(seconds / unit.scale)} ${unit.unit}`;
}

const kDecimal: readonly Unit[] = [
  { unit: "TB", scale: 1e12 },
  { unit: "GB", scale: 1e9 },
  { unit: "MB", scale: 1e6 },
  { unit: "kB", scale: 1e3 },
  { unit: "B", scale: 1 },
];

// A message or a volume, in powers of ten as links are rated.
export function volume(bytes: number): string {
  const unit = pick(bytes, kDecimal);
  return `${number(bytes / unit.scale)} ${unit.unit}`;
}

// Memory, in powers of two as HBM is rated.
export function memory(bytes: number): string {
  const x = bytes / kGiB;
  if (x !== 0 && Math.abs(x) < 0.1) {
    const mib = bytes / 1024 ** 2;
    return mib < 0.1 ? `${count(bytes)} B` : `${number(mib)} MiB`;
  }
  return `${number(x)} GiB`;
}

export function percent(fraction: number): string {
  const x = fraction * 100;
  if (x !== 0 && Math.abs(x) < 0.05) return "<0.1 %";
  return `${one(x)} %`;
}

export function marks(score: number): string {
  return format(".2~f")(score);
}

// A unit as it is printed.
export function unit_text(unit: string): string {
  if (unit === "us") return "µs";
  return unit === "x" ? "×" : unit;
}

// A value in the unit that a reply names beside it.
export function with_unit(value: number, unit: string): string {
  if (unit === "bytes" || unit === "B") return memory(value);
  if (unit === "s") return time(value);
  if (unit === "fraction") return percent(value);
  if (unit === "parameters" && value >= 1e9) {
    return `${number(value / 1e9)} billion`;
  }
  if (unit === "" || unit === "count" || unit === "1") return count(value);
  return `${count(value)} ${unit_text(unit)}`;
}

const kWords: Record<string, string> = {
  dp: "DP",
  tp: "TP",
  pp: "PP",
  cp: "CP",
  ep: "EP",
  "memory-state": "Memory: model state",
  "memory-activations": "Memory: activations",
  throughput: "Throughput",
  latency: "Latency",
  none: "None",
};

// "all_reduce" as "all-reduce"; the few names that need more are in a table.
export function words(id: string): string {
  return kWords[id] ?? id.replaceAll("_", "-");
}

export function sentence(id: string): string {
  const text = words(id).replaceAll("-", " ");
  return kWords[id] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

export function plan_text(plan: Record<AxisKey, number>): string {
  const parts = kAxisKeys
    .filter((axis) => plan[axis] > 1)
    .map((axis) => `${axis}=${plan[axis]}`);
  return parts.length > 0 ? parts.join(" ") : "one GPU";
}

type AxisKey = "dp" | "tp" | "pp" | "cp" | "ep";
const kAxisKeys: readonly AxisKey[] = ["dp", "tp", "pp", "cp", "ep"];
