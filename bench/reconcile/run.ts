import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Cost, tallyhook } from '../command.ts';
import type { Workplace } from '../workplace.ts';
import { FROM, NEXT, TO } from './fill.ts';

export const WORDS = ['reconcile', '--from', FROM, '--to', TO, '--json'];

export function reconcile(workplace: Workplace, database: string, ...more: readonly string[]): Cost {
  return tallyhook(workplace, database, [...WORDS, ...more]);
}

/** Only the day of the new lines. */
export function reconcileNext(workplace: Workplace, database: string): Cost {
  return tallyhook(workplace, database, ['reconcile', '--from', NEXT, '--to', NEXT, '--json']);
}

/** The least work: the shell imports the same lines and records into memory, makes an index and joins them. */
export function shellJoin(files: { readonly lines: string; readonly records: string }): Cost {
  const script = `.mode csv
.import ${files.lines} lines
.import ${files.records} records
CREATE INDEX records_reference ON records (reference, amount);
SELECT count(*), sum(l.amount = r.amount), sum(r.reference IS NULL) FROM lines l LEFT JOIN records r ON r.reference = l.reference;
`;
  const startedMs = performance.now();
  // The shell has no meter: time's last line has its processor time and memory.
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', 'sqlite3', ':memory:'], {
    input: script,
    encoding: 'utf8',
  });
  const [user, system, kibibytes] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  if (status !== 0 || kibibytes === undefined)
    throw new Error(`the sqlite3 shell (with /usr/bin/time) failed: ${stderr}`);
  const seconds = (performance.now() - startedMs) / 1_000;
  return { seconds, cpuSeconds: (user ?? 0) + (system ?? 0), rssBytes: kibibytes * 1024 };
}

export function linesIn(file: string): number {
  return readFileSync(file, 'latin1').split('\n').length - 2;
}
