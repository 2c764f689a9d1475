import { FILE_LIMITS, type FileLimits } from '../../file/limits.ts';
import { openFile } from '../../file/opened-file.ts';
import { csvSource } from './csv-source.ts';
import type { SheetSource } from './source-row.ts';
import { xlsxSource } from './xlsx-source.ts';

const MEBIBYTE = 1024 * 1024;
/** A sheet of exceptions is in memory as a whole: 100,000 of them are some 40 MiB of CSV. */
const LIMITS: FileLimits = { ...FILE_LIMITS, bytes: 128 * MEBIBYTE };

/** Reads a CSV or XLSX file, told apart by its bytes. @throws StatementFileError when it cannot be read, or is neither */
export async function readSource(path: string): Promise<SheetSource> {
  await using opened = await openFile(path, LIMITS);
  const pieces: Uint8Array[] = [];
  for await (const piece of opened.bytes()) pieces.push(piece);
  const { name, sha256 } = await opened.finish();
  const bytes = Buffer.concat(pieces);
  const format = isZip(bytes) ? 'xlsx' : 'csv';
  const rows = format === 'xlsx' ? await xlsxSource(name, bytes, LIMITS) : csvSource(name, bytes);
  return { file: name, digest: sha256, format, rows };
}

function isZip(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32BE(0) === 0x504b0304;
}
