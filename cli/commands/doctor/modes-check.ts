import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { Config } from '../../../src/config/load.ts';
import { type Examined, ok, warning } from '../../../src/store/examination.ts';

/** A secret that is named by a file: `secretKey: { file: /run/secrets/live }`. */
const FILE_REFERENCE = /\bfile:\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s,}#]+))/g;
const MAX_BYTES = 1024 * 1024;

/**
 * Checks that only this user can read files that hold secrets: `.env`, the configuration when a secret stands in it, and the
 * files that it names for secrets. Those of another owner, as on a server, this user reads through its group.
 */
export function checkModes(config: Config): Examined[] {
  const folder = config.file === null ? process.cwd() : dirname(config.file);
  const text = config.file === null ? '' : textOf(config.file);
  const named = [...text.matchAll(FILE_REFERENCE)].map(([, ...names]) => resolve(folder, names.find(Boolean) ?? ''));
  const secret = new Set([join(folder, '.env'), ...named]);
  const files = [...(config.file === null ? [] : [config.file]), ...secret].filter((file) => existsSync(file));
  return files.map((file) => checkMode(file, secret.has(file) || holdsSecret(text, config)));
}

function checkMode(file: string, isSecret: boolean): Examined {
  const { mode: bits, uid } = statSync(file);
  const mode = bits & 0o777;
  const wanted = uid === process.getuid?.() ? 0o600 : 0o640;
  const shown = `${file} has mode ${mode.toString(8).padStart(4, '0')}`;
  if ((mode & 0o077 & ~wanted) === 0 || !isSecret) return ok('file mode', shown);
  return warning('file mode', shown, `It holds secrets: chmod ${wanted.toString(8)} ${file}`);
}

/** Whether a secret key or the admin token stands in the text itself, and not only the name of its file or variable. */
function holdsSecret(text: string, { keyPairs, admin }: Config): boolean {
  const secrets = [...keyPairs.map(({ secretKey }) => secretKey), ...(admin.token === null ? [] : [admin.token])];
  return secrets.some((secret) => text.includes(secret.reveal()));
}

/** The text of a configuration file; empty when it is too large to be one. */
function textOf(file: string): string {
  return statSync(file).size > MAX_BYTES ? '' : readFileSync(file, 'utf8');
}
