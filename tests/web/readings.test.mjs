// A student's text, cut where the fields of the form were read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { field_name, pieces } from "../../build/js/web/src/readings.js";

const at = (field, begin, end) => ({
  field: `/answers/0/${field}`,
  begin,
  end,
});

test("a field is named by its place in the answer", () => {
  assert.equal(
    field_name("/answers/0/q3/tp/minimum_gbps"),
    "q3 tp minimum gbps",
  );
});

test("the pieces of a text are the whole text", () => {
  const text = "Zoë: dp = 64 über 8 Knoten 并行 <b>";
  const bytes = Buffer.from(text);
  const begin = bytes.indexOf("64");
  const cut = pieces(text, [at("q2/dp", begin, begin + 2)]);
  assert.equal(cut.map((one) => one.text).join(""), text);
  assert.deepEqual(
    cut.filter((one) => one.field).map((one) => [one.text, one.field]),
    [["64", "q2 dp"]],
  );
});

test("of readings in each other the short ones are shown", () => {
  const text = "throughput, so dp = 64";
  const cut = pieces(text, [
    at("q1/because", 0, text.length),
    at("q1/constraint", 0, 10),
    at("q2/dp", 20, 22),
  ]);
  assert.deepEqual(
    cut.map((one) => [one.text, one.field]),
    [
      ["throughput", "q1 constraint"],
      [", so dp = ", undefined],
      ["64", "q2 dp"],
    ],
  );
});

test("a text of which nothing was read is one piece", () => {
  assert.deepEqual(pieces("idk", []), [{ text: "idk" }]);
  assert.deepEqual(pieces("", []), []);
});
