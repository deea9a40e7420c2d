// What a panel is drawn from: the state, the engine, and the request that the
// desk's edits make.

import type { Engine } from "./engine.js";
import { type Read, read_field, to_text } from "./fields.js";
import type { Reading } from "./readings.js";
import type { SearchClient } from "./search_client.js";
import { cluster_values, kFixedFields } from "./standards.js";
import {
  type Action,
  type Desk,
  desk_of,
  kOwn,
  type State,
  type Store,
} from "./state.js";
import type {
  Catalog,
  FieldInfo,
  Outcome,
  Phase,
  Problem,
  Request,
  ScenarioReply,
  Summary,
  Values,
} from "./types.js";

// A reply to draw: the newest good one, with the problem of a later request.
export interface Drawn<T> {
  reply?: T;
  error?: Problem;
}

export interface Shell {
  store: Store;
  engine: Engine;
  client: SearchClient;
  catalog: Catalog;
  width: number; // of the panels, in CSS pixels
  wide: boolean; // there is room for a column beside them
  said: string; // the live region's text
  notice: string; // one line that stays until dismissed
  read?: { text: string; readings: Reading[] }; // an answer's text, once read
  last: Map<string, unknown>; // newest good reply of each panel and view
}

const kObjects = ["model", "cluster", "training", "serving"] as const;
const kPlainText: FieldInfo = { label: "", type: "text" };
const kFirstModel = "llama3-8b";

// The plan that a desk starts with: one GPU, as every scenario asks first.
const kFirstPlan: Values = {
  dp: 1,
  tp: 1,
  pp: 1,
  cp: 1,
  ep: 1,
  zero: 0,
  recompute: "selective",
  micro_batch: 1,
  virtual_stages: 1,
  shard_group: 0,
  sequence_parallel: true,
  cp_method: "ring",
  cp_zigzag: true,
};

export class Context {
  readonly state: State;
  readonly view: string;
  readonly desk: Desk;
  readonly own: boolean;
  readonly scenario: ScenarioReply | undefined;
  readonly phase: Phase;
  readonly base: Request;
  readonly summary: Summary | undefined;
  readonly problems = new Map<string, string>(); // by JSON pointer

  constructor(readonly shell: Shell) {
    this.state = shell.store.get();
    this.view = this.state.view;
    this.desk = desk_of(this.state);
    this.own = this.view === kOwn;
    this.scenario = this.own ? undefined : this.read_scenario();
    this.phase = this.read_phase();
    this.base = this.request_for(this.desk);
    this.summary = this.read_summary();
  }

  get catalog(): Catalog {
    return this.shell.catalog;
  }

  dispatch(action: Action): void {
    this.shell.store.dispatch(action);
  }

  // Asks, and falls back on the panel's newest good reply.
  ask<T>(panel: string, request: Request): Drawn<T> {
    const key = `${this.view}/${panel}`;
    const outcome = this.shell.engine.ask<T>(request);
    if (outcome.ok) {
      this.shell.last.set(key, outcome.reply);
      return { reply: outcome.reply };
    }
    this.problems.set(outcome.error.at, outcome.error.message);
    const last = this.shell.last.get(key) as T | undefined;
    const drawn: Drawn<T> = { error: outcome.error };
    if (last !== undefined) drawn.reply = last;
    return drawn;
  }

  // A plain question, remembered by the engine, with no earlier reply shown.
  outcome<T>(request: Request): Outcome<T> {
    return this.shell.engine.ask<T>(request);
  }

  info(key: string): FieldInfo {
    const [object = "", name = ""] = key.split(".");
    const { fields } = this.catalog;
    if (name === "") return fields["scenario"]?.[key] ?? kPlainText;
    return fields[object]?.[name] ?? kFixedFields[key] ?? kPlainText;
  }

  // The value that stands where the user changed nothing.
  standard(key: string): unknown {
    const [object = "", name = ""] = key.split(".");
    if (name === "") return this.document()[key];
    if (object === "plan") return kFirstPlan[name];
    return (
      this.document_part(object)[name] ??
      this.preset_part(object)[name] ??
      this.summary_part(object)[name]
    );
  }

  value(key: string): unknown {
    return this.desk.edits[key]?.value ?? this.standard(key);
  }

  text(key: string): string {
    return this.desk.edits[key]?.text ?? to_text(this.standard(key));
  }

  read(key: string, text = this.text(key)): Read {
    return read_field(text, this.info(key));
  }

  // What is wrong with a field: its own text, or what the core says of it.
  problem(key: string): string {
    const edit = this.desk.edits[key];
    if (edit !== undefined && edit.text.trim() !== "") {
      const read = this.read(key);
      if (!read.ok) return read.message;
    }
    return this.problems.get(`/${key.replace(".", "/")}`) ?? "";
  }

  is_changed(key: string): boolean {
    const edit = this.desk.edits[key];
    return edit !== undefined && edit.text !== to_text(this.standard(key));
  }

  changed_keys(objects: readonly string[]): string[] {
    return Object.keys(this.desk.edits).filter((key) => {
      const object = key.includes(".") ? key.split(".")[0] : "request";
      return objects.includes(object ?? "") && this.is_changed(key);
    });
  }

  edit(key: string, text: string): void {
    if (text.trim() === "") {
      this.dispatch({ type: "reset", keys: [key] });
      return;
    }
    const read = this.read(key, text);
    if (read.ok) {
      this.dispatch({ type: "edit", key, text, value: read.value });
    } else {
      const standing = this.value(key) as number | undefined;
      const kept = standing === undefined ? {} : { value: standing };
      this.dispatch({ type: "edit", key, text, ...kept });
    }
  }

  reset(keys: readonly string[]): void {
    this.dispatch({ type: "reset", keys });
  }

  // An object of the request from the edits that name it: "plan", "training".
  edits_of(object: string, desk = this.desk): Values {
    const found: Values = {};
    for (const [key, edit] of Object.entries(desk.edits)) {
      const [owner, name] = key.split(".");
      if (owner !== object || name === undefined) continue;
      if (edit.value !== undefined) found[name] = edit.value;
    }
    return found;
  }

  // The plan under study, as the request's object.
  plan(): Values {
    const keys = ["dp", "tp", "pp", "cp", "ep"];
    if (this.phase === "training") {
      keys.push("zero", "recompute", "micro_batch", "virtual_stages");
    }
    const plan: Values = {};
    for (const key of keys) plan[key] = this.value(`plan.${key}`);
    return { ...plan, ...this.edits_of("plan") };
  }

  request_for(desk: Desk): Request {
    const request: Request = { kind: "" };
    if (this.own) request["phase"] = this.phase;
    else request["scenario"] = this.view;
    for (const object of kObjects) {
      if (object === (this.phase === "training" ? "serving" : "training")) {
        continue;
      }
      const edits = this.edits_of(object, desk);
      if (this.own && object === "model" && !("preset" in edits)) {
        edits["preset"] = kFirstModel;
      }
      if (Object.keys(edits).length > 0) request[object] = edits;
    }
    const efficiency = desk.edits["min_efficiency"]?.value;
    if (efficiency !== undefined) request["min_efficiency"] = efficiency;
    return request;
  }

  private read_phase(): Phase {
    if (!this.own) return this.scenario?.scenario.phase ?? "training";
    return this.desk.edits["own.phase"]?.value === "serving"
      ? "serving"
      : "training";
  }

  private read_scenario(): ScenarioReply | undefined {
    const outcome = this.outcome<ScenarioReply>({
      kind: "scenario",
      options: { id: this.view },
    });
    return outcome.ok ? outcome.reply : undefined;
  }

  // The values before any edit, as the core fills them in.
  private read_summary(): Summary | undefined {
    const kept: Record<string, Desk["edits"][string]> = {};
    for (const key of ["model.preset", "cluster.preset", "cluster.gpu"]) {
      const edit = this.desk.edits[key];
      if (edit !== undefined) kept[key] = edit;
    }
    const clean = this.request_for({ ...this.desk, edits: kept });
    const request: Request =
      this.phase === "training"
        ? { ...clean, kind: "plan", plan: kFirstPlan, options: { one: true } }
        : { ...clean, kind: "decode" };
    const outcome = this.outcome<{ scenario_summary: Summary }>(request);
    return outcome.ok ? outcome.reply.scenario_summary : undefined;
  }

  private document(): Values {
    return (this.scenario?.scenario ?? {}) as unknown as Values;
  }

  private document_part(object: string): Values {
    return (this.document()[object] ?? {}) as Values;
  }

  private summary_part(object: string): Values {
    if (object === "cluster" && this.summary !== undefined) {
      return cluster_values(this.summary.cluster);
    }
    return (
      ((this.summary ?? {}) as unknown as Record<string, Values>)[object] ?? {}
    );
  }

  private preset_part(object: string): Values {
    if (object === "model") {
      const id = this.preset_id("model.preset", "model", "preset");
      return this.catalog.models.find((m) => m.id === id) ?? {};
    }
    return {};
  }

  private preset_id(key: string, object: string, name: string): unknown {
    const given = this.document_part(object)[name];
    const first = object === "model" && this.own ? kFirstModel : undefined;
    return this.desk.edits[key]?.value ?? given ?? first;
  }
}
