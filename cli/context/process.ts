import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { didYouMean } from '../../src/config/did-you-mean.ts';
import { EXIT_CODE, TallyhookError } from '../../src/domain/error.ts';
import type { Cli } from '../options/options.ts';
import { note } from '../show/output.ts';

// What every command shares with the process around it: the launcher, the pipe it writes into, the way errors end it.

/** The launcher holds a channel to this process; when it is gone, even by kill -9, nobody would stop us any more. */
export function leaveWithParent(): void {
  if (process.channel === undefined || process.channel === null) {
    if (process.env.npm_command !== undefined || process.env.npm_lifecycle_event !== undefined) leaveWithNpm();
    return;
  }
  process.on('disconnect', () => process.exit(1));
  process.channel.unref();
}

const NPM_CHECK_MS = 100;

/** npm runs a script in a shell: it passes SIGTERM on to that shell only, and no kill -9 at all. */
function leaveWithNpm(): void {
  if (process.platform === 'win32') return;
  const { ppid } = process;
  const script = shellScript(ppid);
  if (script !== null && /[^&]&(\s|$)/.test(script)) return; // put into the background on purpose
  const npm = script === null ? null : parentOf(ppid);
  const look = setInterval(() => {
    if (process.ppid === ppid && (npm === null || parentOf(ppid) === npm)) return;
    clearInterval(look);
    // As if npm had passed it on; not when it did, because a second one would stop us at once.
    if (!(closeWithGrace as { closing?: boolean }).closing) process.kill(process.pid, 'SIGTERM');
  }, NPM_CHECK_MS);
  look.unref();
}

/** What the shell with this id was told to run; null when it is no shell with a script, or cannot be seen. */
function shellScript(pid: number): string | null {
  const words = procFile(pid, 'cmdline')?.split('\0') ?? [];
  return words[1] === '-c' ? (words[2] ?? null) : null;
}

function parentOf(pid: number): number | null {
  // The name, in parentheses, may hold anything; after it come the state and the parent.
  const [, parent] = /^.*\) \S (\d+)/s.exec(procFile(pid, 'stat') ?? '') ?? [];
  return parent === undefined ? null : Number(parent);
}

function procFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null; // gone, or not Linux
  }
}

/** `tallyhook … | head` ends in silence when the reader has seen enough. */
export function survivePipeEnd(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}

/** Prints message and hint (the stack trace only when asked for) and sets the exit code. */
export function reportError(error: unknown, cli: Cli): void {
  const { message, hint, exitCode } = errorFacts(error, cli);
  note(`tallyhook: ${message}`);
  if (hint !== undefined) note(hint);
  if (stackWanted()) note(error instanceof Error ? stackWithCauses(error) : String(error));
  process.exitCode = exitCode;
}

function errorFacts(error: unknown, cli: Cli): { message: string; hint: string | undefined; exitCode: number } {
  const text = error instanceof Error ? error.message : String(error);
  const message = text.replace(/^Unknown commands: ([^,]+),.*/, 'Unknown command: $1'); // the rest were its arguments
  if (error instanceof TallyhookError) {
    const hint = error.hint ?? (error.kind === 'usage' ? usageHint(message, cli) : undefined);
    return { message, hint, exitCode: EXIT_CODE[error.kind] };
  }
  return { message, hint: 'For the stack trace, run it again with --verbose.', exitCode: EXIT_CODE.failed };
}

/** What was probably meant by an unknown command or option, and where the right ones are listed. */
function usageHint(message: string, cli: Cli): string {
  const yargs = cli as unknown as YargsInternals;
  const unknown = /^Unknown (command|argument)s?: ([^,\s]+)/.exec(message);
  const commands = yargs.getInternalMethods().getCommandInstance().getCommands();
  const options = Object.keys(yargs.getOptions().key).filter((name) => !/[A-Z]/.test(name));
  const [, what, name = ''] = unknown ?? [];
  const [, given, choices] = /Given: "([^"]*)", Choices: (.*)$/m.exec(message) ?? [];
  const suggestion =
    given === undefined
      ? didYouMean(name, what === 'command' ? commands : options)
      : didYouMean(given, JSON.parse(`[${choices}]`));
  const dashes = what === 'argument' ? '--' : '';
  return `${suggestion === undefined ? '' : `Did you mean ${dashes}${suggestion}? `}See: tallyhook <command> --help`;
}

/** Not in the published types; both have been there since yargs 17. */
interface YargsInternals {
  getOptions(): { key: Record<string, unknown> };
  getInternalMethods(): { getCommandInstance(): { getCommands(): string[] } };
}

function stackWanted(): boolean {
  const debug = (process.env.DEBUG ?? '').split(',').some((name) => name === 'tallyhook' || name === '*');
  const { values } = parseArgs({ options: { verbose: { type: 'boolean' } }, strict: false });
  return debug || values.verbose === true;
}

function stackWithCauses(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackWithCauses(error.cause)}` : '';
  return `${error.stack}${cause}`;
}
