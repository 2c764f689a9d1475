import { parseArgs } from 'node:util';
import { CONFIG_FILE_NAME, locateConfig } from '../../src/config/locate.ts';
import { EXIT_CODE, TallyhookError } from '../../src/domain/error.ts';
import { RefusedActError } from '../../src/domain/persons/refused-act.ts';
import { StoreError } from '../../src/store/error.ts';
import { seeHelp } from '../options/mistakes.ts';
import { note, noteJson } from '../show/output.ts';
import { asCalled } from '../show/program.ts';
import { withTimes } from '../show/text.ts';

// What every command does with its process: end with the launcher, report an error.

/**
 * Ends this process when the channel of a launcher on an older Node closes, also by kill -9: signals no longer arrive then.
 */
export function leaveWithParent(): void {
  if (process.connected === false) process.exit(1); // closed while this program loaded
  process.on('disconnect', leave);
  process.channel?.unref();
}

/** From now on this process ends by itself, also when the launcher is gone before: it is stopping in order. */
export function stayWithoutParent(): void {
  process.off('disconnect', leave);
}

const leave = () => process.exit(1);

/** Everything is said, and the exit code is set: the command ends here. */
export class CommandEndedError extends Error {
  override readonly name = 'CommandEndedError';
}

/** Prints message and hint (the stack trace with --verbose or DEBUG), as a JSON document with --json; sets the exit code. `path`: the words of the command. */
export function reportError(error: unknown, path: readonly string[]): void {
  const { message, hint, exitCode } = errorFacts(error, path);
  const stack = stackWanted() ? (error instanceof Error ? stackWithCauses(error) : String(error)) : undefined;
  process.exitCode = exitCode;
  if (jsonWanted()) {
    const kind = error instanceof TallyhookError ? error.kind : 'failed';
    const texts = { message: asCalled(message), hint: hint === undefined ? null : asCalled(hint) };
    const reason = error instanceof RefusedActError ? { reason: error.reason } : {};
    noteJson({ error: { kind, ...reason, ...texts, exitCode, ...(stack !== undefined && { stack }) } });
    return;
  }
  note(`tallyhook: ${withTimes(message)}`);
  if (hint !== undefined) note(withTimes(hint));
  if (stack !== undefined) note(stack);
}

function errorFacts(error: unknown, path: readonly string[]) {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TallyhookError) {
    const hint = missingConfiguration(error) ?? error.hint ?? (error.kind === 'usage' ? seeHelp(path) : undefined);
    return { message, hint, exitCode: EXIT_CODE[error.kind] };
  }
  return { message, hint: 'For the stack trace, run it again with --verbose.', exitCode: EXIT_CODE.failed };
}

/** Without a database and without a configuration, the likely cause is a forgotten --config. */
function missingConfiguration(error: TallyhookError): string | undefined {
  const failure = error instanceof StoreError ? error : error.cause;
  if (!(failure instanceof StoreError) || failure.fault !== 'no_database') return undefined;
  const { values } = parseArgs({ options: { config: { type: 'string' } }, strict: false });
  const file = typeof values.config === 'string' ? values.config : undefined;
  const cwd = process.cwd();
  if (process.env.TALLYHOOK_DATABASE !== undefined || locateConfig({ file, env: process.env, cwd }).file !== null)
    return undefined;
  return `There is no ${CONFIG_FILE_NAME} in ${cwd}, so this is the default path. Name your configuration: --config FILE.`;
}

function stackWanted(): boolean {
  const debug = (process.env.DEBUG ?? '').split(',').some((name) => name === 'tallyhook' || name === '*');
  const { values } = parseArgs({ options: { verbose: { type: 'boolean' } }, strict: false });
  return debug || values.verbose === true;
}

/** The command line itself may be what is wrong, so it is not asked of yargs. */
export function jsonWanted(): boolean {
  const { values } = parseArgs({ options: { json: { type: 'boolean' } }, strict: false });
  return values.json === true;
}

function stackWithCauses(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackWithCauses(error.cause)}` : '';
  return `${error.stack}${cause}`;
}
