import { inflateRawSync } from 'node:zlib';

/** Why an archive is refused. */
export interface ZipFault {
  readonly what: string;
  readonly cure: string;
}

/** One file of an archive. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly headerAt: number;
}

const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
/** A field of this value says that the real one is in a 64-bit extension: files that large are refused. */
const IN_EXTENSION = 0xffffffff;
const MOST_ENTRIES = 10_000;

const NO_ZIP: ZipFault = {
  what: 'is no spreadsheet: it is damaged, or no XLSX file',
  cure: 'Save it again as XLSX, or set file.format to csv.',
};

/** Reads the directory at the end of an archive; unpacks nothing. */
export function zipEntries(bytes: Buffer): readonly ZipEntry[] | ZipFault {
  const end = endOf(bytes);
  if (end === null) return NO_ZIP;
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count > MOST_ENTRIES) return NO_ZIP;
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY_MARK) return NO_ZIP;
    const nameBytes = bytes.readUInt16LE(at + 28);
    const entry = {
      name: bytes.toString('utf8', at + 46, at + 46 + nameBytes),
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      unpackedBytes: bytes.readUInt32LE(at + 24),
      headerAt: bytes.readUInt32LE(at + 42),
    };
    if ([entry.packedBytes, entry.unpackedBytes, entry.headerAt].includes(IN_EXTENSION)) return NO_ZIP;
    entries.push(entry);
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * Unpacks one file of an archive. Never makes more bytes than the directory says: a directory that lies about a size is a bomb.
 */
export function unpack(
  bytes: Buffer,
  { headerAt, method, packedBytes, unpackedBytes, name }: ZipEntry,
): Buffer | ZipFault {
  if (headerAt + 30 > bytes.length || bytes.readUInt32LE(headerAt) !== LOCAL_MARK) return NO_ZIP;
  const from = headerAt + 30 + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
  const packed = bytes.subarray(from, from + packedBytes);
  if (packed.length !== packedBytes) return NO_ZIP;
  if (method === 0) return packed.length === unpackedBytes ? packed : NO_ZIP;
  if (method !== 8) return NO_ZIP;
  try {
    const unpacked = inflateRawSync(packed, { maxOutputLength: Math.max(unpackedBytes, 1) });
    return unpacked.length === unpackedBytes ? unpacked : NO_ZIP;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return NO_ZIP;
    return {
      what: `is a zip bomb: ${name} unpacks to more than the ${unpackedBytes} bytes that it states`,
      cure: NO_ZIP.cure,
    };
  }
}

function endOf(bytes: Buffer): number | null {
  const last = bytes.length - END_BYTES;
  for (let at = last; at >= 0 && last - at <= LONGEST_COMMENT; at--) {
    if (bytes.readUInt32LE(at) === END_MARK) return at;
  }
  return null;
}
