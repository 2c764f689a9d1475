import { join } from 'node:path';
import { expect } from 'vitest';
import { audit } from './audit.ts';
import { temporaryFolder } from './folder.ts';
import { Load } from './load.ts';
import { expectStrace } from './power/recording.ts';
import { Serve } from './serve.ts';
import { until } from './wait.ts';

/** What the disk may answer to each call on the files of the database and of its log. */
export const IO_FAULTS = ['pwrite64', 'pread64', 'ftruncate', 'openat'].flatMap((call) =>
  ['EIO', 'ENOSPC', 'EROFS', 'EMFILE', 'EINTR'].map((error) => ({ call, error })),
);

export interface IoFaultFigures {
  readonly acked: number;
  /** The exit code of `serve` if the fault ended it. */
  readonly ended: number | null;
  readonly statuses: readonly number[];
  readonly lost: number;
  readonly doubled: number;
  readonly integrity: string;
}

/** Another program than this one, such as one with a mistake in it. */
interface Program {
  readonly launcher?: string;
  readonly env?: Record<string, string>;
}

/**
 * Delivers to the real `serve` while one call on its log and its database fails ten times from the `nth` of each thread on, then starts it
 * again without the fault and compares what is kept with the 200s that the clients read.
 */
export async function meetIoFault(
  call: string,
  error: string,
  nth: number,
  program: Program = {},
): Promise<IoFaultFigures> {
  expectStrace();
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const made = await Serve.start({ cwd, database, ...program });
  await made.stop();
  const files = [database, database.replace(/\.db$/, '.inbox.db')];
  const paths = files.flatMap((file) => ['', '-wal', '-shm'].flatMap((end) => ['-P', `${file}${end}`]));
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${nth}..${nth + 9}`];
  const serve = new Serve({
    cwd,
    database,
    under: ['strace', '-f', '-o', '/dev/null', ...paths, ...inject],
    ...program,
  });
  await until(() => serve.ended || serve.logged('serving') !== undefined, 'serve listens or ends');
  let load: Load | undefined;
  if (!serve.ended) {
    load = new Load(serve.url, { connections: 8, seed: nth });
    await until(() => serve.ended || (load?.ackedTotal ?? 0) > 200, 'deliveries are kept, or serve ends');
    load.moveTo(null);
    await load.stop();
    if (!serve.ended) serve.signal('SIGTERM');
  }
  const { code } = await serve.exited;

  const again = await Serve.start({ cwd, database });
  const stopped = await again.stop();
  if (stopped !== 0) throw new Error(`The start after ${error} of ${call} ended with ${stopped}:\n${again.stderr}`);
  const { lost, doubled, integrity } = audit(database, load?.acked ?? new Map());
  const statuses = [...(load?.statuses.keys() ?? [])].sort();
  return { acked: load?.ackedTotal ?? 0, ended: code === 0 ? null : code, statuses, lost, doubled, integrity };
}

/** Nothing is lost, every answer is 200 or 503, and a `serve` that ended was stopped by the fault (1) or could not open its files (2). */
export function expectHarmless({ acked, lost, doubled, integrity, statuses, ended }: IoFaultFigures): void {
  expect({ lost, doubled, integrity }).toEqual({ lost: 0, doubled: 0, integrity: 'ok' });
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(acked === 0 ? [null, 1, 2] : [null, 1]).toContain(ended);
}
