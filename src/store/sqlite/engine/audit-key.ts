import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, fchmodSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../../error.ts';
import { isShared, ownerOf } from './owner.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/i;

/** The key of the audit chain, in a file outside the database; read anew at each use, because it may be moved away. */
export interface AuditKey {
  readonly path: string;
  /** Null: there is no such file, or it is empty: its making was cut off. */
  read(): Uint8Array | null;
  /** Makes the file, for its owner alone (in a shared folder its group reads it, too), and returns its key. */
  make(): Uint8Array;
}

/** Where the key is unless its path is configured: beside the database. */
export function usualKeyFile(database: string): string {
  return join(dirname(database), 'audit.key');
}

/** `database`: whose owner the key gets, when a command of root's makes it. */
export function auditKey(path: string, database: string): AuditKey {
  function read(): Uint8Array | null {
    let text: string;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      throw unusable(path, `cannot be read (${code})`, error);
    }
    if (text === '') return null;
    if (KEY.test(text)) return Buffer.from(text, 'hex');
    throw unusable(path, `does not hold ${KEY_BYTES} bytes as ${2 * KEY_BYTES} hexadecimal digits`);
  }

  function make(): Uint8Array {
    const key = randomBytes(KEY_BYTES);
    try {
      makeKeyFile(path);
      writeDurably(path, `${key.toString('hex')}\n`);
      if (process.getuid?.() === 0) {
        const { uid, gid } = ownerOf(database);
        chownSync(path, uid, gid);
      }
    } catch (error) {
      throw new StoreError(
        'audit_key',
        `The key file of the audit chain, ${path}, cannot be made (${(error as NodeJS.ErrnoException).code}).`,
        { hint: `Let this user write to ${dirname(path)}, or let \`audit.key\` name a file elsewhere.`, cause: error },
      );
    }
    return key;
  }

  return { path, read, make };
}

/** For its owner alone; in a shared folder its group reads it, too: who acts must sign. */
function makeKeyFile(path: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    if (isShared(dirname(path))) fchmodSync(file, 0o640);
  } finally {
    closeSync(file);
  }
}

/** On disk before the entry that it signs is, the name of the file too. */
function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function unusable(path: string, why: string, cause?: unknown): StoreError {
  return new StoreError('audit_key', `The key file of the audit chain, ${path}, ${why}.`, {
    hint: keyHint(path),
    cause,
  });
}

/** There are entries, and no key. */
export function goneKey(path: string, so: string): StoreError {
  return new StoreError('audit_key', `The key file of the audit chain, ${path}, is gone. ${so}`, {
    hint: keyHint(path),
  });
}

/** The head is not signed by this key: another key file, or the chain was rebuilt without the key. */
export function foreignKey(path: string): StoreError {
  return new StoreError(
    'audit_key',
    `The head of the audit chain is not signed by the key in ${path}. Nothing was written.`,
    {
      hint: 'Put the right key file there, or see what is wrong: tallyhook audit verify',
    },
  );
}

function keyHint(path: string): string {
  return `Put your copy of ${path} back, readable for this user, or let \`audit.key\` name the right file. While there are entries, no key is made anew.`;
}
