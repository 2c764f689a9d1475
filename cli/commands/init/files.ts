import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { relative, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { writeReasonOf } from '../../../src/config/problems.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { packageFile } from '../../../src/package-root.ts';
import { type InitKeys, KEY_PROMPTS } from './keys.ts';

/** The commented template, with the path of this version's schema for editors. */
export function configText(folder: string): string {
  const schema = relative(folder, packageFile('templates/config/tallyhook.schema.json')).split(sep).join('/');
  const template = readFileSync(packageFile('templates/config/tallyhook.yaml'), 'utf8');
  return template.replace('$schema=./tallyhook.schema.json', () => `$schema=${schema}`);
}

/** The text of `.env`, which says the mode of its file: given keys, and the others as comments to fill in. */
export function environmentText(
  keys: InitKeys,
  { mode = 0o600, adminToken = null }: { readonly mode?: number; readonly adminToken?: string | null } = {},
): string {
  const readers =
    mode === 0o640
      ? 'Readable by root and the group of the service (mode 0640)'
      : 'Readable by its owner alone (mode 0600)';
  const lines = [
    '# Secrets and settings of Tallyhook, read from beside tallyhook.yaml. The real environment takes precedence.',
    `# ${readers}; keep it out of version control and backups that others can read.`,
    '',
  ];
  for (const { name, variable, environment, secret } of KEY_PROMPTS) {
    const value = keys[name];
    if (!secret) lines.push(`# The ${environment} key pair, as the service shows it.`);
    lines.push(value === undefined ? `# ${variable}=` : `${variable}=${quoted(value)}`);
    if (secret) lines.push('');
  }
  lines.push('# Needed only when the admin listener is reachable from other machines: 16 characters or more.');
  lines.push(adminToken === null ? '# TALLYHOOK_ADMIN_TOKEN=' : `TALLYHOOK_ADMIN_TOKEN=${adminToken}`, '');
  return lines.join('\n');
}

const REPLACE_HINT = 'Edit what is there, choose another --folder, or replace these files with --force.';
/** More are counted: a list of paths hides the sentence. */
const MOST_NAMED = 3;

/** @throws TallyhookError when one of them exists */
export function refuseExisting(files: readonly string[], hint = REPLACE_HINT): void {
  const existing = files.filter((file) => existsSync(file));
  if (existing.length === 0) return;
  const named = existing.slice(0, MOST_NAMED).join(' and ');
  const others = existing.length > MOST_NAMED ? ` and ${existing.length - MOST_NAMED} more` : '';
  throw new TallyhookError(`${named}${others} exist${existing.length === 1 ? 's' : ''} already; nothing was written.`, {
    kind: 'usage',
    hint,
  });
}

/** Makes the folder, also those above it. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const hint = 'Nothing was written. Choose another --folder, or let this user write there.';
    throw new TallyhookError(`Cannot make the folder ${folder}: ${writeReasonOf(cause)}.`, {
      kind: 'failed',
      hint,
      cause,
    });
  }
}

export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** Who it is given to; this user by default. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * Writes new files: all of them, or none, because files that exist stop the next `init`. With `force` each replaces an existing one
 * in one step, once all are written.
 */
export function writeNew(files: readonly NewFile[], { force }: { force: boolean }): void {
  const made: string[] = [];
  const target = (path: string) => (force ? `${path}.${process.pid}.new` : path);
  for (const { path, text, mode, owner } of files) {
    try {
      closeSync(openSync(target(path), 'wx', mode));
      made.push(target(path));
      writeFileSync(target(path), text);
      chmodSync(target(path), mode); // the umask may have taken a group's right to read
      if (owner !== undefined) chownSync(target(path), owner.uid, owner.gid);
    } catch (cause) {
      for (const one of made) rmSync(one, { force: true });
      const hint =
        'Nothing was written. Check that the folder is writable, has space, and that no other program writes there.';
      throw new TallyhookError(`Cannot write ${path}: ${writeReasonOf(cause)}.`, { kind: 'failed', hint, cause });
    }
  }
  if (force) for (const { path } of files) renameSync(target(path), path);
}

/** `value` in the quotes with which parseEnv reads it back unchanged. */
function quoted(value: string): string {
  const form = ['', "'", '"', '`']
    .map((quote) => quote + value + quote)
    .find((each) => parseEnv(`V=${each}`).V === value);
  if (form !== undefined) return form;
  throw new TallyhookError('A key holds characters that .env cannot carry.', {
    kind: 'usage',
    hint: 'Give it as a {file: path} in tallyhook.yaml instead.',
  });
}
