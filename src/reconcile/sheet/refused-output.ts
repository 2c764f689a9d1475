import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { TallyhookError } from '../../domain/error.ts';
import { cellText } from '../file/cell.ts';
import { withoutMark } from './formula-mark.ts';
import type { SheetRow } from './judge/row.ts';
import { headerOf, type SheetHeader } from './read/header.ts';
import { readSource } from './read/source.ts';
import { REFUSED } from './refused-file.ts';

/** What the refused rows would be of. */
export interface RefusedOf {
  /** The imported file. */
  readonly path: string;
  readonly header: SheetHeader;
  readonly rows: readonly SheetRow[];
}

/** Where refused rows go: opened before anything is applied, because rows that were applied are not refused again. */
export interface RefusedOutput {
  readonly file: string;
  /** Takes the place of a former one once it is whole. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Takes away what `write` has not used. */
  readonly close: () => Promise<void>;
}

/** Bytes that a reason and its quotes add to a row. */
const BYTES_OF_REASON = 512;

/**
 * Opens a file beside `file` and fills it with as many bytes as the refused rows can need: a folder that is not there, cannot be
 * written, or is on a full disk is found now. Mode 0600, because the rows name customers' payments.
 *
 * @throws TallyhookError `usage` when it cannot be written, or when another file stands there
 */
export async function refusedOutput(file: string, of: RefusedOf): Promise<RefusedOutput> {
  const part = `${file}.part`;
  await refuseOtherFile(file, part, of);
  let handle: FileHandle | undefined;
  const close = async () => {
    await handle?.close().catch(() => {}); // what failed before says more
    await rm(part, { force: true }).catch(() => {});
  };
  try {
    await rm(part, { force: true });
    const opened = await open(part, 'wx', 0o600);
    handle = opened;
    const { size } = await stat(of.path);
    await opened.writeFile(Buffer.alloc(size + of.rows.length * BYTES_OF_REASON));
    await opened.sync();
    return { file, close, write: (bytes) => written(opened, bytes).then(() => rename(part, file)) };
  } catch (error) {
    await close();
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw refusal(`Refused rows cannot be written to ${file} (${why}); nothing was imported.`, error);
  }
}

async function written(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** Only a former file of the same rows is replaced. */
async function refuseOtherFile(file: string, part: string, of: RefusedOf): Promise<void> {
  const imported = await stat(of.path);
  for (const one of [file, part]) {
    const there = await stat(one).catch(() => null); // why it cannot be looked at is told when it is opened
    if (there === null) continue;
    if (there.ino === imported.ino && there.dev === imported.dev) {
      throw refusal(`Refused rows would replace the imported file ${of.path}; nothing was imported.`);
    }
    if (one === file && !(there.isFile() && (await isFormer(file, of)))) {
      throw refusal(`Refused rows would replace ${file}, which does not come from ${of.path}; nothing was imported.`);
    }
  }
}

/** Whether a file holds refused rows of the imported one: its columns with one more, and no other ids. */
async function isFormer(file: string, { header, rows }: RefusedOf): Promise<boolean> {
  try {
    const source = await readSource(file);
    const former = headerOf(source);
    const place = former.places.get('id') ?? 0;
    const ids = new Set(rows.map(({ cells }) => withoutMark(cellText(cells.id))));
    return (
      JSON.stringify(former.names) === JSON.stringify(refusedNames(header)) &&
      source.rows.every(({ row, cells }) => row <= former.row || ids.has(withoutMark(cellText(cells[place]))))
    );
  } catch (error) {
    if (error instanceof TallyhookError) return false; // no sheet of ours
    throw error;
  }
}

/** The header of the file. */
function refusedNames({ names }: SheetHeader): string[] {
  return [...names.filter((name) => name.toLowerCase() !== REFUSED), REFUSED];
}

function refusal(message: string, cause?: unknown): TallyhookError {
  const hint = 'Name a new file in a folder that this user can write to, on a disk with space: --refused FILE.';
  return new TallyhookError(message, { kind: 'usage', hint, ...(cause !== undefined && { cause }) });
}
