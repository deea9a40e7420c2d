// Zip archives as a platform, or somebody hostile, might make them.

import { crc32, deflateRawSync } from "node:zlib";

// Names in ASCII need no word on their encoding; those beyond it are UTF-8.
function utf8_flag(name) {
  return name.some((byte) => byte >= 0x80) ? 0x800 : 0;
}
const kUnix = 3;

function local_header(name, packed, raw, { method, sum }) {
  const out = Buffer.alloc(30);
  out.writeUInt32LE(0x04034b50, 0);
  out.writeUInt16LE(20, 4);
  out.writeUInt16LE(utf8_flag(name), 6);
  out.writeUInt16LE(method, 8);
  out.writeUInt32LE(sum, 14);
  out.writeUInt32LE(packed.length, 18);
  out.writeUInt32LE(raw, 22);
  out.writeUInt16LE(name.length, 26);
  return Buffer.concat([out, name, packed]);
}

function central_header(name, packed, raw, { method, sum, mode, offset }) {
  const out = Buffer.alloc(46);
  out.writeUInt32LE(0x02014b50, 0);
  out.writeUInt16LE((kUnix << 8) | 20, 4);
  out.writeUInt16LE(20, 6);
  out.writeUInt16LE(utf8_flag(name), 8);
  out.writeUInt16LE(method, 10);
  out.writeUInt32LE(sum, 16);
  out.writeUInt32LE(packed.length, 20);
  out.writeUInt32LE(raw, 24);
  out.writeUInt16LE(name.length, 28);
  out.writeUInt32LE((mode << 16) >>> 0, 38);
  out.writeUInt32LE(offset, 42);
  return Buffer.concat([out, name]);
}

// `entries`: [name, text, {mode, sum, size}]; sum and size are what the archive
// claims, right unless given.
export function zip(entries) {
  const locals = [];
  const centrals = [];
  let offset = 0;
  for (const [path, text, claims = {}] of entries) {
    const name = Buffer.from(path);
    const data = Buffer.from(text);
    const packed = deflateRawSync(data, { level: 9 });
    const raw = claims.size ?? data.length;
    const facts = {
      method: 8,
      sum: claims.sum ?? crc32(data),
      mode: claims.mode ?? 0o100644,
      offset,
    };
    const local = local_header(name, packed, raw, facts);
    locals.push(local);
    centrals.push(central_header(name, packed, raw, facts));
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
