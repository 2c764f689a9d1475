import { TallyhookError } from '../domain/error.ts';
import { Secret } from '../domain/secret.ts';

/** One mistake in the configuration; all of them are reported together. */
export interface Problem {
  /** `receiver.port`, or the name of the environment variable the value came from. */
  readonly path: string;
  /** The value as a message may show it: secrets as prefix and length, passwords masked. Absent when there is none. */
  readonly seen?: string;
  /** The rule that the value breaks. */
  readonly rule: string;
  /** The known name nearest to an unknown one. */
  readonly suggestion?: string;
}

/** The configuration cannot be used; `problems` lists all of its mistakes. */
export class ConfigurationError extends TallyhookError {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly Problem[];

  constructor(source: string, problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    const lines = problems.map((each) => `\n  ${problemLine(each)}`);
    super(`${count} in the configuration (${source}):${lines.join('')}`, {
      kind: 'configuration',
      hint: 'Every setting is described in docs/configuration.md; `tallyhook init` writes a file that works.',
    });
    this.problems = problems;
  }
}

function problemLine({ path, seen, rule, suggestion }: Problem): string {
  const value = seen === undefined ? '' : ` is ${seen}`;
  const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `${path}${value}: ${rule}${rule.endsWith('?') ? '' : '.'}${advice}`;
}

/**
 * Returns a value as a message may show it. The value of a secret setting, and any text that looks like a key, becomes
 * prefix and length; a list or map is named, not quoted.
 */
export function valueSeen(value: unknown, { secret }: { secret: boolean }): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value instanceof Secret ? value.toString() : 'a map';
  const text = String(value);
  if (typeof value !== 'string' && !secret) return text;
  if (secret || /[sp]k_(test|live)_/.test(text)) return new Secret(text).toString();
  const shown = withoutPassword(text);
  return JSON.stringify(shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown);
}

/** Returns a URL with its password masked; other text unchanged. */
export function withoutPassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#]*?):[^/?#]*@/i, '$1:***@');
}

const LONGEST_SHOWN = 120;

/** `keys.test[0].secretKey` */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text.replace(/^\./, '') || 'the file';
}

/** Returns why reading a file failed, in plain words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ENOENT: 'it does not exist',
    EACCES: 'this user may not read it',
    EISDIR: 'it is a folder',
    ENOTDIR: 'its folder does not exist',
  };
  return known[code ?? ''] ?? message;
}
