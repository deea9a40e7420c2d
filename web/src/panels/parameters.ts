// Every parameter, editable, with its unit, its range and what it was.

import { html, type TemplateResult } from "lit";
import { field } from "../components/field.js";
import type { Part } from "../components/parts.js";
import type { Context } from "../context.js";
import type { Named } from "../types.js";

const kTitles: Record<string, string> = {
  model: "Model",
  cluster: "Cluster",
  training: "Training",
  serving: "Serving",
};

// The shape that most people change; the rest stays folded.
const kModelFirst = [
  "layers",
  "hidden",
  "heads",
  "kv_heads",
  "ffn",
  "vocab",
  "parameters",
];
const kPresets = ["preset", "name", "gpu"];

function preset_choices(list: readonly Named[], none?: string) {
  const choices = list.map((item) => ({
    value: item.id,
    text: item.name ?? item.id,
  }));
  return none === undefined ? choices : [{ value: "", text: none }, ...choices];
}

function presets(context: Context, object: string): Part {
  if (object === "model") {
    return field(context, "model.preset", {
      label: "Model preset",
      choices: preset_choices(context.catalog.models),
    });
  }
  if (object !== "cluster") return "";
  return html`${field(context, "cluster.preset", {
    label: "Cluster preset",
    standard: "drill",
    choices: preset_choices(context.catalog.clusters),
  })}
  ${field(context, "cluster.gpu", {
    label: "GPU preset",
    choices: preset_choices(context.catalog.gpus, "as in the cluster"),
  })}`;
}

function is_assumed(context: Context, key: string): boolean {
  const name = key.split(".")[1] ?? key;
  const list = context.scenario?.assumptions ?? [];
  const mine = list.find((note) => name.startsWith(note.id));
  return mine?.text.includes("assum") ?? false;
}

function editable(context: Context, object: string): string[] {
  return Object.entries(context.catalog.fields[object] ?? {})
    .filter(([name, info]) => {
      const is_number = info.type === undefined || info.type === "number";
      return is_number && !kPresets.includes(name);
    })
    .map(([name]) => `${object}.${name}`);
}

function one(context: Context, key: string): TemplateResult {
  return field(context, key, { assumed: is_assumed(context, key) });
}

// What is no number, and the share of the step that must stay compute.
function switches(context: Context): Part {
  if (context.phase === "serving") return "";
  return html`${one(context, "training.fused_attention")}
  ${one(context, "training.uneven_layers")} ${one(context, "min_efficiency")}`;
}

function group(context: Context, object: string): TemplateResult {
  const keys = editable(context, object);
  const is_first = (key: string) =>
    object !== "model" || kModelFirst.includes(key.split(".")[1] ?? "");
  const rest = keys.filter((key) => !is_first(key));
  const changed = context.changed_keys([object]).length;
  return html`<details class="group" open>
    <summary>
      <h3>${kTitles[object]}</h3>
      ${changed === 0 ? "" : html`<span class="tag">${changed} changed</span>`}
    </summary>
    ${presets(context, object)}
    ${keys.filter(is_first).map((key) => one(context, key))}
    ${object === context.phase ? switches(context) : ""}
    ${
      rest.length === 0
        ? ""
        : html`<details class="more">
          <summary>More of the model's shape</summary>
          ${rest.map((key) => one(context, key))}
        </details>`
    }
  </details>`;
}

function reset_all(context: Context, objects: readonly string[]): Part {
  const changed = context.changed_keys(objects);
  if (changed.length === 0) return "";
  const from = context.own ? "the presets" : `scenario ${context.view}`;
  return html`<p class="changed-note">
    ${changed.length} ${changed.length === 1 ? "value differs" : "values differ"}
    from ${from}.
    <button type="button" class="small" @click=${() => context.reset(changed)}>
      Reset all
    </button>
  </p>`;
}

function phase_choice(context: Context): TemplateResult {
  return field(context, "own.phase", {
    label: "Task",
    standard: "training",
    choices: [
      { value: "training", text: "Training" },
      { value: "serving", text: "Serving" },
    ],
  });
}

export function parameters_panel(context: Context): TemplateResult {
  const objects = ["model", "cluster", context.phase];
  return html`<details class="parameters" ?open=${context.shell.wide}>
    <summary><h2 id="parameters-title">Parameters</h2></summary>
    <div class="parameters-body">
      ${reset_all(context, [...objects, "request"])}
      ${context.own ? phase_choice(context) : ""}
      ${objects.map((object) => group(context, object))}
    </div>
  </details>`;
}
