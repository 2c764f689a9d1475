import { join } from 'node:path';
import { type Audit, audit } from './audit.ts';
import { temporaryFolder } from './folder.ts';
import { Load } from './load.ts';
import { type Patch, patchedProgram, SHORT_LOGS } from './patched-program.ts';
import { expectStrace } from './power/recording.ts';
import { seededRandom } from './random.ts';
import { carriedOut } from './reader.ts';
import { Serve, type ServeSetup } from './serve.ts';
import { until } from './wait.ts';

// Points on the way of a delivery at which the real `serve` is killed with -9: by itself, at a place of its code, or by strace, at a call.

interface KillPoint {
  /** How `serve` runs when it dies at the `nth` passage; `database` is its file. */
  readonly program: (nth: number, database: string) => Pick<ServeSetup, 'under' | 'launcher' | 'env'>;
  /** It is passed only once nothing more arrives. */
  readonly afterLoad?: true;
}

const APPENDER = 'src/store/sqlite/log/appender.ts';

/** How long a thread stays at its place before it dies: the others have time to do what they must not yet. */
const HOLD_MS = 100;

/** Dies at the `nth` passage of `text`, before it or after it. */
function inCode(
  { file, text, where }: { file: string; text: string; where: 'before' | 'after' },
  others: readonly Patch[] = [],
): KillPoint['program'] {
  return (nth) => {
    const hold = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${HOLD_MS})`;
    const isThere = `(globalThis.passages = (globalThis.passages ?? 0) + 1) === ${nth}`;
    const die = `if (${isThere}) { ${hold}; process.kill(process.pid, 'SIGKILL'); }`;
    return patchedProgram(...others, { file, text, by: where === 'before' ? `${die} ${text}` : `${text} ${die}` });
  };
}

/** Dies as a thread enters its `nth` call on a file: its work is half done. */
function atCall(call: string, end: string, others: readonly Patch[] = []): KillPoint['program'] {
  return (nth, database) => {
    expectStrace();
    const path = database.replace(/\.db$/, end);
    const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${nth}`];
    const under = ['strace', '-f', '-o', '/dev/null', '-P', path, ...inject];
    return others.length === 0 ? { under } : { under, ...patchedProgram(...others) };
  };
}

export const KILL_POINTS = {
  'append: entries are inserted, and not committed': {
    program: inCode({ file: APPENDER, text: 'this.#transaction.commit();\n      this.#files', where: 'before' }),
  },
  'commit of the log: some of its pages are written': { program: atCall('pwrite64', '.inbox.db-wal') },
  'commit of the log: its pages are written, and not synced': { program: atCall('fsync', '.inbox.db-wal') },
  'commit of the log is done, and no answer has left': {
    program: inCode({
      file: 'src/store/sqlite/log/thread.ts',
      text: "this.#post({ type: 'appended' });",
      where: 'before',
    }),
  },
  'answer: some of a commit have left': {
    program: inCode({
      file: 'src/serve/app.ts',
      text: 'metrics.ackSeconds.observe(tookMs / 1_000);',
      where: 'after',
    }),
  },
  'carrying out: events and records are written, and not committed': {
    program: inCode({
      file: 'src/store/sqlite/carry-out/carry-out.ts',
      text: 'advance.run((found.at(-1) as EntryRow).seq);',
      where: 'before',
    }),
  },
  'commit of the books: its pages are written, and not synced': { program: atCall('fsync', '.db-wal') },
  'carried out, and the log does not know': {
    program: inCode({
      file: 'src/store/sqlite/carry-out/thread.ts',
      text: 'this.#tell(carried?.seq ?? this.#carrier.carriedOut());',
      where: 'before',
    }),
  },
  'forgetting: entries are deleted, and that is not committed': {
    program: inCode({
      file: APPENDER,
      text: 'this.#mayHaveMore = this.#delete.run(this.#carriedOut, FORGOTTEN_AT_ONCE).changes === FORGOTTEN_AT_ONCE;',
      where: 'after',
    }),
  },
  'moving the write-ahead log into the log': { program: atCall('pwrite64', '.inbox.db', SHORT_LOGS) },
  'shrinking: the emptied log is written anew': {
    program: (_nth, database) =>
      inCode({ file: APPENDER, text: "this.#log.exec('VACUUM');", where: 'after' }, [
        { file: APPENDER, text: 'KEPT_BYTES = 4 * 1024 * 1024', by: 'KEPT_BYTES = 16 * 1024' },
      ])(1, database),
    afterLoad: true,
  },
} satisfies Record<string, KillPoint>;

export type PointName = keyof typeof KILL_POINTS;
export const POINT_NAMES = Object.keys(KILL_POINTS) as PointName[];

export interface PointFigures extends Audit {
  readonly acked: number;
  /** What was wrong after a kill, before any other start. */
  readonly wrongAfter: readonly string[];
}

/**
 * Kills `serve` under load at each point, one after the other on one database; after each kill the files are examined as they are. The
 * last start carries out the rest.
 */
export async function killAtPoints(points: readonly PointName[], seed: number): Promise<PointFigures> {
  const random = seededRandom(seed);
  const cwd = temporaryFolder();
  const setup = { cwd, database: join(cwd, 'tallyhook.db') };
  const load = new Load(null, { connections: 16, seed });
  const wrongAfter: string[] = [];
  for (const name of points) {
    const { program, afterLoad }: KillPoint = KILL_POINTS[name];
    const serve = await Serve.start({ ...setup, ...program(10 + Math.floor(random() * 40), setup.database) });
    load.moveTo(serve.url);
    if (afterLoad) {
      const enough = load.ackedTotal + 100;
      await until(() => load.ackedTotal >= enough || serve.ended, `${name}: some are acknowledged`);
      load.moveTo(null);
    }
    await until(() => serve.ended, `${name}: serve dies there`);
    load.moveTo(null);
    const { signal } = await serve.exited;
    if (signal !== 'SIGKILL') throw new Error(`${name}: serve ended otherwise:\n${serve.stderr}`);
    const { lost, doubled, undercounted, overcounted, wrongRecords } = audit(setup.database, load.acked, load.sent);
    const wrong = { lost, doubled, undercounted, overcounted, wrongRecords };
    if (lost + doubled + undercounted + overcounted + wrongRecords.length > 0)
      wrongAfter.push(`${name}: ${JSON.stringify(wrong)}`);
  }
  const serve = await Serve.start(setup);
  load.moveTo(serve.url);
  await load.stop();
  await carriedOut(setup.database, 60_000);
  const code = await serve.stop();
  if (code !== 0) throw new Error(`serve ended with code ${code}:\n${serve.stderr}`);
  return { acked: load.ackedTotal, wrongAfter, ...audit(setup.database, load.acked, load.sent) };
}
