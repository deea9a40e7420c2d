// A student's text in pieces: what was read into which field of the form.

export interface Reading {
  field: string; // "/answers/0/q2/dp"
  begin: number; // bytes of the text as UTF-8
  end: number;
}

export interface Piece {
  text: string;
  field?: string; // "q2 dp"
}

// "/answers/0/q3/tp/minimum_gbps" is "q3 tp minimum gbps".
export function field_name(pointer: string): string {
  return pointer.split("/").slice(3).join(" ").replaceAll("_", " ");
}

// Short readings before the long ones that hold them: a degree, not the
// sentence around it. Of the same words the first field counts.
function chosen(readings: readonly Reading[]): Reading[] {
  const out: Reading[] = [];
  const by_length = [...readings].sort(
    (a, b) => a.end - a.begin - (b.end - b.begin),
  );
  for (const one of by_length) {
    const apart = out.every(
      (other) => one.end <= other.begin || one.begin >= other.end,
    );
    if (apart) out.push(one);
  }
  return out.sort((a, b) => a.begin - b.begin);
}

// The whole text, cut where fields begin and end.
export function pieces(text: string, readings: readonly Reading[]): Piece[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const slice = (begin: number, end: number) =>
    decoder.decode(bytes.subarray(begin, end));
  const out: Piece[] = [];
  let done = 0;
  for (const one of chosen(readings)) {
    if (one.begin > done) out.push({ text: slice(done, one.begin) });
    out.push({
      text: slice(one.begin, one.end),
      field: field_name(one.field),
    });
    done = one.end;
  }
  if (done < bytes.length) out.push({ text: slice(done, bytes.length) });
  return out;
}
