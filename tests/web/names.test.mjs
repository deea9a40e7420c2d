// What a parameter is called.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parameter_label } from "../../build/js/web/src/names.js";

const kCatalog = {
  parameters: [{ id: "kv_heads", label: "Heads of keys and values" }],
  fields: {
    cluster: {
      hbm_bandwidth_gbps: { label: "HBM bandwidth" },
      hbm_gib: { label: "HBM a GPU" },
    },
    training: {
      seq_tokens: { label: "Sequence length" },
      critical_batch_tokens: { label: "Critical batch (0: none)" },
    },
  },
};

for (const [id, label] of [
  ["kv_heads", "Heads of keys and values"],
  ["seq", "Sequence length"],
  ["hbm", "HBM a GPU"],
  ["hbm_bandwidth", "HBM bandwidth"],
  ["critical_batch", "Critical batch"],
  ["state_bytes", "State bytes"],
]) {
  test(`${id} is called "${label}"`, () => {
    assert.equal(parameter_label(kCatalog, id), label);
  });
}
