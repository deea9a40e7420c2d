// Start-up: load what was kept, load the module, draw, and draw again on every
// change.

import { html, render } from "lit";
import { app, tabs } from "./app.js";
import { Context, type Shell } from "./context.js";
import { load_engine } from "./engine.js";
import { SearchClient } from "./search_client.js";
import { create_store, kOwn, type State, type Theme } from "./state.js";
import { browser_drawer, load, save } from "./storage.js";
import type { Catalog } from "./types.js";

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

function show_theme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  (element("theme") as HTMLSelectElement).value = theme;
}

// Tables that are wider than their place can be reached and scrolled by key.
function mark_scrolling(root: HTMLElement): void {
  for (const area of root.querySelectorAll<HTMLElement>(".table-scroll")) {
    if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
    else area.removeAttribute("tabindex");
  }
}

function chart_width(root: HTMLElement): number {
  const work = root.querySelector<HTMLElement>(".panel");
  return Math.max(260, Math.floor(work?.clientWidth ?? root.clientWidth));
}

function title_of(context: Context): string {
  const { scenario } = context;
  if (scenario === undefined) return "Your own model and cluster";
  return `${scenario.scenario.id}: ${scenario.scenario.title}`;
}

function draw(shell: Shell, root: HTMLElement): void {
  const context = new Context(shell);
  render(app(context), root);
  render(tabs(context.view, shell.catalog.scenarios), element("tabs"));
  document.title = `${title_of(context)} - Meshwise`;
  mark_scrolling(root);
}

function fail(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  render(
    html`<p class="problem" role="alert">
      The planner could not be loaded (${reason}). The page needs a browser from
      2023 or later with WebAssembly, and the file meshwise.wasm beside it.
      Check the connection, or an extension that blocks scripts, and
      <a href="">load the page again</a>. Your answers are kept.
    </p>`,
    element("loading"),
  );
}

function view_of_hash(catalog: Catalog): string | undefined {
  const id = decodeURIComponent(location.hash.slice(1));
  const known = catalog.scenarios.some((one) => one.id === id);
  return known || id === kOwn ? id : undefined;
}

function start_worker(): Worker {
  return new Worker(new URL("./worker.js", import.meta.url), {
    type: "module",
  });
}

function close_formulas(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  for (const card of document.querySelectorAll("details.formula[open]")) {
    card.removeAttribute("open");
    card.querySelector("summary")?.focus();
  }
}

// Saving waits for a pause in typing, and for nothing when the page goes.
function keep(shell: Shell): void {
  const drawer = browser_drawer();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told = false;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const problem = save(drawer, shell.store.get());
    if (problem === undefined || told) return;
    told = true;
    shell.notice = problem;
    shell.store.dispatch({ type: "view", view: shell.store.get().view });
  };
  shell.store.subscribe(() => {
    timer ??= setTimeout(write, 150);
  });
  addEventListener("pagehide", write);
}

function follow(shell: Shell, root: HTMLElement): void {
  let drawn = shell.store.get();
  const again = () => draw(shell, root);
  shell.store.subscribe((state: State) => {
    if (state.theme !== drawn.theme) show_theme(state.theme);
    if (state.view !== drawn.view) {
      shell.notice = "";
      delete shell.read;
    }
    drawn = state;
    again();
  });
  new ResizeObserver(() => {
    const width = chart_width(root);
    if (width === shell.width) return;
    shell.width = width;
    again();
  }).observe(root);
  addEventListener("hashchange", () => {
    const view = view_of_hash(shell.catalog);
    if (view === undefined) return;
    shell.store.dispatch({ type: "view", view });
    scrollTo({ top: 0 });
  });
}

async function start(): Promise<void> {
  const loaded = load(browser_drawer());
  const store = create_store(loaded.state);
  show_theme(loaded.state.theme);
  const theme = element("theme") as HTMLSelectElement;
  theme.addEventListener("change", () => {
    store.dispatch({ type: "theme", theme: theme.value as Theme });
    show_theme(theme.value as Theme);
  });
  const engine = await load_engine();
  const outcome = engine.ask<Catalog>({ kind: "catalog" });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const catalog = outcome.reply;
  const root = element("app");
  const shell: Shell = {
    store,
    engine,
    catalog,
    client: new SearchClient(start_worker(), () => draw(shell, root)),
    width: 600,
    wide: matchMedia("(min-width: 1040px)").matches,
    said: "",
    notice: loaded.problem ?? "",
    last: new Map(),
  };
  const wanted = view_of_hash(catalog);
  const known = [...catalog.scenarios.map((one) => one.id), kOwn];
  const view = wanted ?? loaded.state.view;
  store.dispatch({ type: "view", view: known.includes(view) ? view : "A" });
  element("loading").remove();
  draw(shell, root);
  shell.width = chart_width(root);
  draw(shell, root);
  follow(shell, root);
  keep(shell);
  document.addEventListener("keydown", close_formulas);
  document.documentElement.dataset["ready"] = "true";
}

start().catch(fail);
