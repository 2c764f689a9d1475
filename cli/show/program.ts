import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { isCommand } from '../overview.ts';

// The name of the program in advice: as it was called, so that the line can be pasted.

const NAME = 'tallyhook';

/** What decides the name: the launcher's path, the environment, the working folder. */
export interface Called {
  readonly launcher: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * `tallyhook` when it is on the PATH, `npx tallyhook` below npx or in a folder of dependencies, else a path: as the shell has it in
 * `_`, or below the working folder, or absolute: behind `sudo` and `timeout` `_` names that program. `tallyhook` for a program that
 * only uses these files.
 */
export function programName({ launcher, env, cwd }: Called): string {
  if (!isOurs(launcher)) return NAME;
  if (env.npm_lifecycle_event === 'npx' || env.npm_command === 'exec') return `npx ${NAME}`;
  const typed = env._ ?? '';
  const path = isOurs(typed) ? typed : launcher;
  if (basename(path) === NAME && isOnPath(path, env.PATH ?? '')) return NAME;
  if (dirname(path).endsWith(`node_modules${sep}.bin`)) return `npx ${NAME}`;
  if (path === typed) return shellWord(typed);
  const below = relative(cwd, path);
  return shellWord(below.startsWith('..') || isAbsolute(below) ? path : `.${sep}${below}`);
}

/** The path as one word of a shell: a folder may have a blank in its name. */
export function shellWord(path: string): string {
  return /^[\w/.+@:\\~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function isOurs(path: string): boolean {
  return [NAME, `${NAME}.js`].includes(basename(path));
}

function isOnPath(path: string, folders: string): boolean {
  return (
    dirname(path) === '.' ||
    folders.split(delimiter).some((folder) => resolve(folder) === dirname(path) && existsSync(path))
  );
}

/** The name of the running program. */
export function calledAs(): string {
  known ??= programName({ launcher: process.argv[1] ?? NAME, env: process.env, cwd: process.cwd() });
  return known;
}

/** The text with this program's commands as they can be typed: `tallyhook doctor` may be `./cli/tallyhook.js doctor`. */
export function asCalled(text: string): string {
  const name = calledAs();
  if (name === NAME || !text.includes(NAME)) return text;
  return text.replace(COMMAND, (found, word: string) =>
    isCommand(word) || OTHER_WORDS.includes(word) ? `${name} ${word}` : found,
  );
}

/** Not behind a path, a dot or an @: `./tallyhook doctor` and `me@tallyhook serve` stay. */
const COMMAND = /(?<!npx |[\w./@-])tallyhook (-{0,2}[a-z]+)\b/g;
const OTHER_WORDS = ['help', '--help', '--version'];
let known: string | undefined;
