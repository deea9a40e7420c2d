// A lit template as text, for reading in a test: static parts and values in
// their order, without bindings to properties and events.
export function text_of(value) {
  if (Array.isArray(value)) return value.map(text_of).join("");
  if (typeof value === "string" || typeof value === "number") {
    return String(value);
  }
  if (value?.strings === undefined) return "";
  const { strings, values } = value;
  return strings.map((part, index) => part + text_of(values[index])).join("");
}
