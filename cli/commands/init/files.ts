import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { TallyhookError } from '../../../src/domain/error.ts';
import { packageFile } from '../../../src/package-root.ts';
import { type InitKeys, KEY_PROMPTS } from './keys.ts';

/** The commented template, with the path of this version's schema for editors. */
export function configText(folder: string): string {
  const schema = relative(folder, packageFile('templates/config/tallyhook.schema.json')).split(sep).join('/');
  const template = readFileSync(packageFile('templates/config/tallyhook.yaml'), 'utf8');
  return template.replace('$schema=./tallyhook.schema.json', () => `$schema=${schema}`);
}

/** The text of `.env`: given keys, and the others as comments to fill in. */
export function environmentText(keys: InitKeys): string {
  const lines = [
    '# Secrets and settings of Tallyhook, read from beside tallyhook.yaml. The real environment takes precedence.',
    '# Readable by its owner alone (mode 0600); keep it out of version control and backups that others can read.',
    '',
  ];
  for (const { name, variable, environment, secret } of KEY_PROMPTS) {
    const value = keys[name];
    if (!secret) lines.push(`# The ${environment} key pair, as the service shows it.`);
    lines.push(value === undefined ? `# ${variable}=` : `${variable}=${quoted(value)}`);
    if (secret) lines.push('');
  }
  lines.push('# Needed only when the admin listener is reachable from other machines: 16 characters or more.');
  lines.push('# TALLYHOOK_ADMIN_TOKEN=', '');
  return lines.join('\n');
}

/** Writes a new file; with `force` it replaces an existing one in one step. */
export function writeNew(file: string, text: string, { mode, force }: { mode: number; force: boolean }): void {
  const target = force ? `${file}.${process.pid}.new` : file;
  try {
    writeFileSync(target, text, { mode, flag: 'wx' });
    chmodSync(target, mode); // the umask may have taken a group's right to read
    if (force) renameSync(target, file);
  } catch (cause) {
    const hint = 'Check that the folder is writable, and that no other program is writing the same file.';
    throw new TallyhookError(`Cannot write ${file}: ${(cause as Error).message}`, { kind: 'failed', hint, cause });
  }
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
