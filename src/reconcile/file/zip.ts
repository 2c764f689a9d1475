import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Counter } from './limits.ts';
import type { OpenedFile } from './opened-file.ts';
import { StatementFileError } from './problem.ts';

/*
 * The archive that a workbook is. Its directory is judged once, and what was judged is what is unpacked, piece by piece: a directory
 * that can be read in two ways, and a part that is not what the directory states, are refused.
 */

/** The parts of an archive. */
export interface Zip {
  /** The bytes of a part, piece by piece; null: there is none. Throws StatementFileError when they are not what the directory states. */
  readonly part: (name: string) => AsyncIterable<Buffer> | null;
  /** Bytes of a part once unpacked. */
  readonly bytesOf: (name: string) => number;
}

/** What the directory states of a part. */
interface Entry {
  readonly name: string;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly headerAt: number;
}

const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
/** The locator of a 64-bit directory, directly before the end record. */
const LOCATOR_MARK = 0x07064b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const LOCATOR_BYTES = 20;
const LONGEST_COMMENT = 0xffff;
/** A part with this flag is encrypted. */
const ENCRYPTED = 1;
const MOST_ENTRIES = 10_000;
/** Bytes of a directory: of 10,000 parts with names of 400 characters. */
const MOST_DIRECTORY_BYTES = 5_000_000;
/** Bytes that are unpacked at once: few, because a short piece of a sheet may make thousands of wide rows. */
const PIECE_BYTES = 16 * 1024;

/** Whether a file begins as an archive does. */
export function isZip(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && start[2] === 3 && start[3] === 4;
}

type ReadFile = Pick<OpenedFile, 'name' | 'size' | 'read'>;

/** Reads the directory of an archive; unpacks nothing. @throws StatementFileError for one that has two readings, or none */
export async function openZip(file: ReadFile, counter: Counter): Promise<Zip> {
  const entries = new Map<string, Entry>();
  for (const entry of await directoryOf(file)) {
    if (entries.has(entry.name)) throw damaged(file, `its directory names ${JSON.stringify(entry.name)} twice`);
    entries.set(entry.name, entry);
  }
  return {
    part: (name) => {
      const entry = entries.get(name);
      return entry === undefined ? null : unpack(file, entry, counter);
    },
    bytesOf: (name) => entries.get(name)?.unpackedBytes ?? 0,
  };
}

async function directoryOf(file: ReadFile): Promise<Entry[]> {
  const tail = await file.read(Math.max(file.size - LONGEST_COMMENT - END_BYTES, 0), LONGEST_COMMENT + END_BYTES);
  const end = endIn(tail);
  if (end === null) throw damaged(file, 'it has no directory, or two');
  const endAt = file.size - tail.length + end;
  const [disk, ofDirectory, here, count] = [4, 6, 8, 10].map((at) => tail.readUInt16LE(end + at));
  const [bytes, from] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  const locator = Math.max(end - LOCATOR_BYTES, 0);
  const is64 = end >= LOCATOR_BYTES && tail.readUInt32LE(locator) === LOCATOR_MARK;
  if (is64 || count === 0xffff || bytes === 0xffffffff || from === 0xffffffff) {
    throw damaged(file, 'its directory is one of 64 bits, which no workbook of this size has');
  }
  if (disk !== 0 || ofDirectory !== 0 || here !== count || from + bytes !== endAt) {
    throw damaged(file, 'its directory can be read in two ways');
  }
  if (count === undefined || count > MOST_ENTRIES || bytes > MOST_DIRECTORY_BYTES) {
    throw damaged(file, `its directory has ${count} parts in ${bytes} bytes`);
  }
  return entriesIn(file, await file.read(from, bytes), count);
}

function entriesIn(file: ReadFile, directory: Buffer, count: number): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_MARK) {
      throw damaged(file, 'its directory ends early');
    }
    const nameBytes = directory.readUInt16LE(at + 28);
    const entry = {
      name: directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      unpackedBytes: directory.readUInt32LE(at + 24),
      headerAt: directory.readUInt32LE(at + 42),
    };
    if ((directory.readUInt16LE(at + 8) & ENCRYPTED) !== 0) {
      throw new StatementFileError(file.name, {}, 'is encrypted', 'Save it again without a password.');
    }
    if ([entry.packedBytes, entry.unpackedBytes, entry.headerAt].includes(0xffffffff)) {
      throw damaged(file, 'its directory is one of 64 bits, which no workbook of this size has');
    }
    entries.push(entry);
    at += ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  if (at !== directory.length) throw damaged(file, 'its directory names fewer parts than it holds');
  return entries;
}

/** Never makes more bytes than the directory states. */
async function* unpack(file: ReadFile, entry: Entry, counter: Counter): AsyncGenerator<Buffer> {
  const { name, method, crc, packedBytes, unpackedBytes } = entry;
  const shown = JSON.stringify(name);
  counter.unpacked(unpackedBytes);
  const from = await dataOf(file, entry);
  const isPacked = method === 8;
  if (!isPacked && (method !== 0 || packedBytes !== unpackedBytes)) {
    throw damaged(file, `${shown} is packed in an unknown way`);
  }
  let [bytes, sum] = [0, 0];
  for await (const piece of isPacked ? inflated(file, entry, from) : piecesOf(file, from, packedBytes)) {
    bytes += piece.length;
    if (bytes > unpackedBytes) {
      const what = `is a zip bomb: ${shown} unpacks to more than the ${unpackedBytes} bytes that it states`;
      throw new StatementFileError(file.name, {}, what, CURE);
    }
    sum = crc32(piece, sum);
    yield piece;
  }
  if (bytes !== unpackedBytes || sum !== crc) throw damaged(file, `${shown} is not what its directory states`);
}

/** Returns where the bytes of a part begin. Its own header must name it as the directory does. */
async function dataOf(file: ReadFile, { name, method, headerAt, packedBytes }: Entry): Promise<number> {
  const header = await file.read(headerAt, LOCAL_BYTES + Buffer.byteLength(name));
  const isSame =
    header.length === LOCAL_BYTES + Buffer.byteLength(name) &&
    header.readUInt32LE(0) === LOCAL_MARK &&
    header.readUInt16LE(8) === method &&
    header.toString('utf8', LOCAL_BYTES) === name;
  if (!isSame) throw damaged(file, `${JSON.stringify(name)} is not where its directory says`);
  const from = headerAt + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (from + packedBytes > file.size) throw damaged(file, `${JSON.stringify(name)} ends behind the file`);
  return from;
}

async function* inflated(file: ReadFile, { name, packedBytes }: Entry, from: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  // The loop below throws it.
  pipeline(Readable.from(piecesOf(file, from, packedBytes)), inflate, () => {});
  try {
    for await (const piece of inflate) yield piece;
  } catch (error) {
    if (error instanceof StatementFileError) throw error;
    throw damaged(file, `${JSON.stringify(name)} cannot be unpacked`, error);
  }
  if (inflate.bytesWritten !== packedBytes) throw damaged(file, `${JSON.stringify(name)} holds more than one part`);
}

async function* piecesOf(file: ReadFile, from: number, bytes: number): AsyncGenerator<Buffer> {
  for (let at = from; at < from + bytes; ) {
    const piece = await file.read(at, Math.min(PIECE_BYTES, from + bytes - at));
    if (piece.length === 0) throw damaged(file, 'it ends early');
    at += piece.length;
    yield piece;
  }
}

/** Returns where the end record begins: its comment reaches to the end of the file. Null: there is none, or more than one. */
function endIn(tail: Buffer): number | null {
  const ends: number[] = [];
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    const isEnd = tail.readUInt32LE(at) === END_MARK && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length;
    if (isEnd) ends.push(at);
  }
  return ends.length === 1 ? (ends[0] ?? null) : null;
}

const CURE = 'Save it again as XLSX, or set file.format to csv.';

function damaged({ name }: ReadFile, why: string, cause?: unknown): StatementFileError {
  return new StatementFileError(name, {}, `is no XLSX file, or a damaged one: ${why}`, CURE, cause);
}
