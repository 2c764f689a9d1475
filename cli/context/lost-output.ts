import { writeSync } from 'node:fs';
import { EXIT_CODE } from '../../src/domain/error.ts';
import { jsonWanted } from './process.ts';

// What becomes of a command whose output cannot be written.

/**
 * Ends the process when stdout or stderr cannot be written: without a message when the reader of a pipe closes it, as in
 * `tallyhook … | head`, else with the reason and exit code 1. An exit code 2 stays: nothing was done.
 */
export function endWithOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    report(error.code ?? error.message);
    process.exit(EXIT_CODE.failed);
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.exit(process.exitCode === EXIT_CODE.usage ? EXIT_CODE.usage : EXIT_CODE.failed);
  });
}

const REASONS: Readonly<Record<string, readonly [why: string, next: string]>> = {
  ENOSPC: ['the disk is full; the file is incomplete', 'Free some space, then run it again.'],
  EDQUOT: ['the disk quota is used up; the file is incomplete', 'Free some space, then run it again.'],
  EFBIG: ['the file would be larger than allowed; it is incomplete', 'Raise the limit (ulimit -f), then run it again.'],
  EIO: ['the device failed; the file is incomplete', 'Write to another device.'],
  EBADF: ['stdout is not open for writing', 'Redirect it with > or |, not with <.'],
};

/** Written straight to the file descriptor: the process ends at once, and stderr may be as broken as stdout. */
function report(code: string): void {
  const [why, hint] = REASONS[code] ?? [`${code}; it is incomplete`, null];
  const message = `Cannot write the output: ${why}.`;
  const error = { kind: 'failed', message, hint, exitCode: EXIT_CODE.failed };
  const text = jsonWanted() ? JSON.stringify({ error }) : `tallyhook: ${message}${hint === null ? '' : `\n${hint}`}`;
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Nothing is left to write to; the exit code says it.
  }
}
