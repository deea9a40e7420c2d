// What a scenario's parameter is called: the label of the field that sets it.

import { sentence } from "./format.js";
import type { Catalog } from "./types.js";

// "seq" is set by "seq_tokens", "hbm" by "hbm_gib": the id with its unit.
function sets(key: string, id: string): boolean {
  return key === id || key.startsWith(`${id}_`);
}

export function parameter_label(catalog: Catalog, id: string): string {
  const named = catalog.parameters.find((one) => one.id === id)?.label;
  if (named !== undefined) return named;
  const keys = Object.values(catalog.fields)
    .flatMap((fields) => Object.entries(fields))
    .filter(([key]) => sets(key, id))
    .sort(([one], [other]) => one.length - other.length);
  const label = keys[0]?.[1].label ?? sentence(id.replaceAll("_", "-"));
  return label.replace(/ \(.*\)$/, "");
}
