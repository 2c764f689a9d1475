// Offsets of the ZIP format: the end record, the central directory's entries, the local headers.
const END_SIGNATURE = 0x06054b50;
const END_LENGTH = 22;
/** 1 January 1980, 00:00: the first time that ZIP has. */
const FIRST_TIME = 0x00210000;

/** Returns the archive with the first time that ZIP has on each of its files, so that the same content gives the same bytes. */
export function withoutTimes(archive: Buffer): Buffer {
  const bytes = Buffer.from(archive);
  let end = bytes.length - END_LENGTH;
  while (end >= 0 && bytes.readUInt32LE(end) !== END_SIGNATURE) end--;
  const count = bytes.readUInt16LE(end + 10);
  let entry = bytes.readUInt32LE(end + 16);
  for (let file = 0; file < count; file++) {
    bytes.writeUInt32LE(FIRST_TIME, entry + 12);
    bytes.writeUInt32LE(FIRST_TIME, bytes.readUInt32LE(entry + 42) + 10);
    entry += 46 + bytes.readUInt16LE(entry + 28) + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
  }
  return bytes;
}
