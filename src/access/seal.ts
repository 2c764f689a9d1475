import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TallyhookError } from '../domain/error.ts';

/*
 * What the books keep and a reader of them must not be able to use, such as the secret of the codes of a person: sealed (AES-256-GCM) with a key in a file
 * beside that of the audit, which backups of the database do not have.
 */

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY = /^[0-9a-f]{64}$/;

/** Seals and opens with one key. `context` is sealed with it: what was sealed for one person opens for no other. */
export interface Seal {
  readonly seal: (bytes: Uint8Array, context: string) => string;
  /** Null: it was not sealed with this key for this context, or was changed. */
  readonly open: (sealed: string, context: string) => Uint8Array | null;
  /** A keyed digest: without the key it can be neither made nor tried out. */
  readonly digest: (text: string) => string;
}

/** `random`: bytes of a cryptographic generator. */
export function sealOf(key: Uint8Array, random: (bytes: number) => Uint8Array): Seal {
  return {
    digest: (text) => createHmac('sha256', key).update(`digest\n${text}`).digest('hex'),

    seal(bytes, context) {
      const iv = random(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
      return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },

    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      // One spelling: another one of the same bytes is not what was sealed.
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null;
      const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(-TAG_BYTES)];
      const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(context),
      );
      cipher.setAuthTag(tag);
      try {
        return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), cipher.final()]);
      } catch {
        return null; // another key or context, or a changed byte
      }
    },
  };
}

/** Where the key is: beside that of the audit. */
export function sealKeyFile(auditKeyFile: string): string {
  return join(dirname(auditKeyFile), 'access.key');
}

/**
 * The key in a file; a missing one is made, for its owner alone. Several processes that make it at once get the same one.
 *
 * @throws TallyhookError when it cannot be read or made, or holds no key
 */
export function sealKey(file: string, random: (bytes: number) => Uint8Array): Uint8Array {
  const present = keyIn(file);
  if (present !== null) return present;
  const draft = `${file}.${Buffer.from(random(6)).toString('hex')}`;
  try {
    writeDurably(draft, `${Buffer.from(random(KEY_BYTES)).toString('hex')}\n`);
    try {
      linkSync(draft, file); // whole, or not at all; never over another one
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw unusable(
      `The key file of logins, ${file}, cannot be made (${code}).`,
      `Let this user write to ${dirname(file)}.`,
      error,
    );
  }
  const made = keyIn(file);
  if (made === null) throw unusable(`The key file of logins, ${file}, is gone again.`, 'Put it back.');
  return made;
}

function keyIn(file: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw unusable(`The key file of logins, ${file}, cannot be read (${code}).`, 'Let this user read it.', error);
  }
  if (KEY.test(text)) return Buffer.from(text, 'hex');
  throw unusable(
    `The key file of logins, ${file}, does not hold ${KEY_BYTES} bytes as hexadecimal digits.`,
    'Put your copy back. Without it, each person sets up the login anew: tallyhook users reset NAME',
  );
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function unusable(message: string, hint: string, cause?: unknown): TallyhookError {
  return new TallyhookError(message, { kind: 'configuration', hint, cause });
}
