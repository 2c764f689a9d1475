import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { reasonOf } from '../../config/problems.ts';
import type { StatementFile } from '../../store/statements.ts';
import type { FileLimits } from './limits.ts';
import { StatementFileError } from './problem.ts';

/** Bytes of one read. */
const PIECE_BYTES = 256 * 1024;

/** A file that is read once from its beginning, and must be the same at the end as it was then. */
export interface OpenedFile extends AsyncDisposable {
  readonly name: string;
  readonly size: number;
  /** Every byte once, in order. Throws StatementFileError when the file grows, shrinks, or cannot be read. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** Reads again from the beginning, outside the digest, to find where something was. */
  readonly again: () => AsyncIterable<Uint8Array>;
  /** Reads bytes at a place, outside the digest; fewer where the file ends. */
  readonly read: (position: number, bytes: number) => Promise<Buffer>;
  /**
   * Returns name, size and digest; reads the file for it where `bytes` has not. Throws StatementFileError when the file has changed, or
   * is not `expected`.
   */
  readonly finish: (expected?: StatementFile) => Promise<StatementFile>;
}

const CHANGED = 'Wait until the file is complete, and import it again.';

/** Opens a file. Throws StatementFileError when it is no file, cannot be read, or has more than `limits.bytes`. */
export async function openFile(path: string, limits: FileLimits): Promise<OpenedFile> {
  const name = basename(path);
  const { handle, before } = await opened(path, name);
  const size = Number(before.size);
  if (size > limits.bytes) {
    await handle.close();
    throw new StatementFileError(
      name,
      {},
      `has ${size} bytes, and the limit is ${limits.bytes}`,
      'Split the file, for example by month.',
    );
  }
  const hash = createHash('sha256');
  let read = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(PIECE_BYTES), position });
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  async function* digested(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces()) {
      read += piece.length;
      if (read > size) throw new StatementFileError(name, {}, `grows while it is read: it had ${size} bytes`, CHANGED);
      hash.update(piece);
      yield piece;
    }
  }
  return {
    name,
    size,
    bytes: digested,
    again: pieces,
    async read(position, bytes) {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(bytes), position });
      return buffer.subarray(0, bytesRead);
    },
    async finish(expected) {
      if (read === 0) await drained(digested());
      const after = [await handle.stat({ bigint: true }), await stat(path, { bigint: true }).catch(() => null)];
      if (read !== size || after.some((one) => !isSame(before, one))) {
        throw new StatementFileError(
          name,
          {},
          `has changed while it was read: ${read} of ${size} bytes were read`,
          CHANGED,
        );
      }
      const sha256 = hash.digest('hex');
      if (expected !== undefined && expected.sha256 !== sha256) {
        throw new StatementFileError(name, {}, 'has another content than a moment ago', CHANGED);
      }
      return { name, sha256, bytes: size };
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function drained(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _piece of pieces) {
    // Only the digest is wanted.
  }
}

async function opened(path: string, name: string): Promise<{ handle: FileHandle; before: BigIntStats }> {
  try {
    // Opening a named pipe would wait for its writer.
    const known = await stat(path);
    if (!known.isFile()) throw new StatementFileError(name, {}, 'is no file', 'Give the path of a CSV or XLSX file.');
    const handle = await open(path, 'r');
    return { handle, before: await handle.stat({ bigint: true }) };
  } catch (error) {
    if (error instanceof StatementFileError) throw error;
    throw new StatementFileError(
      name,
      {},
      `cannot be read: ${reasonOf(error)}`,
      'Give the path of a file that this user can read.',
      error,
    );
  }
}

function isSame(one: BigIntStats, other: BigIntStats | null): boolean {
  return other !== null && one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs;
}
