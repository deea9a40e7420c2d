// Long questions: the newest of a topic wins, and progress is seen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { is_done, SearchClient } from "../../build/js/web/src/search_client.js";

function bench() {
  const sent = [];
  const worker = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => sent.push(message),
  };
  let changes = 0;
  const client = new SearchClient(worker, () => {
    changes += 1;
  });
  const reply = (id, body) =>
    worker.onmessage({
      data: { type: "reply", id, reply: JSON.stringify(body) },
    });
  return { sent, worker, client, reply, changes: () => changes };
}

test("each reply is one step of progress", () => {
  const { client, reply, sent, changes } = bench();
  const search = client.ask("t", [{ kind: "a" }, { kind: "b" }]);
  assert.equal(search.total, 2);
  assert.equal(is_done(search), false);
  reply(sent[0].id, { x: 1 });
  assert.equal(search.outcomes.length, 1);
  reply(sent[1].id, { error: { code: "missing", at: "", message: "no" } });
  assert.equal(is_done(search), true);
  assert.deepEqual(
    search.outcomes.map((outcome) => outcome.ok),
    [true, false],
  );
  assert.equal(changes(), 2);
});

test("the same question again asks the worker nothing", () => {
  const { client, sent } = bench();
  const first = client.ask("t", [{ kind: "a" }]);
  assert.equal(client.ask("t", [{ kind: "a" }]), first);
  assert.equal(sent.length, 1);
});

test("a newer question of the topic drops the older one", () => {
  const { client, reply, sent } = bench();
  const older = client.ask("t", [{ kind: "a" }, { kind: "b" }]);
  const newer = client.ask("t", [{ kind: "c" }]);
  const kinds = sent.map(({ type, id }) => `${type} ${id}`);
  assert.deepEqual(kinds, ["ask 1", "ask 2", "drop 1", "drop 2", "ask 3"]);
  reply(1, { late: true });
  assert.equal(older.outcomes.length, 0);
  assert.equal(newer.outcomes.length, 0);
  reply(3, { x: 1 });
  assert.equal(client.current("t").outcomes.length, 1);
});

test("another topic's question is left alone", () => {
  const { client, sent } = bench();
  client.ask("t", [{ kind: "a" }]);
  client.ask("u", [{ kind: "a" }]);
  assert.ok(sent.every(({ type }) => type === "ask"));
});

test("a worker that breaks ends what waits for it, with the reason", () => {
  const { client, worker } = bench();
  const search = client.ask("t", [{ kind: "a" }]);
  worker.onerror({ message: "out of memory" });
  assert.equal(search.failed, "out of memory");
  assert.equal(is_done(search), true);
});
