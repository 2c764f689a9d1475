import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Plain, plain } from '../config/plain.ts';
import type { ErrorKind } from '../domain/error.ts';
import { TallyhookError } from '../domain/error.ts';
import type { IntakeEntry } from '../domain/statements/statement-intake.ts';
import { sourceFile } from '../package-root.ts';
import type { FoundFile } from '../reconcile/folder/find.ts';
import type { Attempt } from '../reconcile/folder/take.ts';
import { type Answer, endedReading, type ReadingEnd } from '../reconcile/folder/try.ts';
import type { ImportingStatements } from '../reconcile/import/import.ts';
import type { Profile } from '../reconcile/profile/load.ts';
import type { JobsConfig } from './job.ts';

/*
 * Files of the statements folder are read in a process of their own, which has a heap limit and must show progress: a file that ends it
 * is refused by name, and the others go on in a new one. The readers of files are bounded themselves; this holds where they are wrong.
 */

export type ToReading =
  | {
      readonly type: 'try';
      readonly config: Plain<JobsConfig>;
      readonly file: FoundFile;
      readonly profile: { readonly text: string; readonly path: string };
      readonly known: IntakeEntry | null;
    }
  /** End the import early. */
  | { readonly type: 'stop' };

export type FromReading =
  /** A piece of the file has been read and kept. */
  | { readonly type: 'progress' }
  /** The statement that the import has begun. */
  | { readonly type: 'begun'; readonly statement: number }
  | { readonly type: 'tried'; readonly answer: Answer | null }
  | { readonly type: 'failed'; readonly kind: ErrorKind; readonly message: string; readonly hint: string | undefined };

export interface ReadingParts {
  readonly statements: Pick<ImportingStatements, 'abandon'>;
  readonly signal: AbortSignal;
  /** What the process runs. */
  readonly file?: URL;
  /** Heap limit of the process, in MiB: twice what the largest file needs. */
  readonly heapMebibytes?: number;
  /** Time for one piece of a file, in milliseconds. The longest wait for the write lock is a tenth of it. */
  readonly silenceMs?: number;
}

const HEAP_MEBIBYTES = 256;
const SILENCE_MS = 300_000;
/** How V8 ends a process without memory left. */
const WITHOUT_MEMORY: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 134]);

export class Reading {
  readonly #config: Plain<JobsConfig>;
  readonly #parts: ReadingParts;
  #child: ChildProcess | null = null;

  constructor(config: JobsConfig, parts: ReadingParts) {
    this.#config = plain(config);
    this.#parts = parts;
  }

  /** As `tryFile`. Throws TallyhookError when the import fails for a reason that is not the file's. */
  readonly attempt: Attempt = async (file, profile, known) => {
    const child = this.#started();
    const { signal, silenceMs = SILENCE_MS, statements } = this.#parts;
    const seen: { answer?: Extract<FromReading, { type: 'tried' | 'failed' }>; statement?: number } = {};
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      child.kill('SIGKILL');
    }, silenceMs);
    const stop = () => send(child, { type: 'stop' });
    const listening = new AbortController();
    const answered = new Promise<void>((resolve) => {
      child.on('message', (message: FromReading) => {
        silence.refresh();
        if (message.type === 'begun') seen.statement = message.statement;
        else if (message.type !== 'progress') {
          seen.answer = message;
          resolve();
        }
      });
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      const closed = once(child, 'close', { signal: listening.signal });
      send(child, { type: 'try', config: this.#config, file, profile: textOf(profile, file), known });
      if (signal.aborted) stop();
      const end = await Promise.race([answered, closed.catch(() => {})]);
      if (seen.answer === undefined) {
        this.#child = null;
        await abandon(seen.statement, statements);
        if (signal.aborted) return null;
        const [code, by] = end ?? [];
        return await endedReading(file, profile.source.digest, known, this.#endOf(isSilent, by ?? code));
      }
    } finally {
      clearTimeout(silence);
      listening.abort();
      signal.removeEventListener('abort', stop);
      child.removeAllListeners('message');
    }
    if (seen.answer.type === 'tried') return seen.answer.answer;
    const { kind, message, hint } = seen.answer;
    throw new TallyhookError(message, { kind, ...(hint !== undefined && { hint }) });
  };

  /** Ends the process. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    // A channel that this side has closed gives no `close`.
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }

  #started(): ChildProcess {
    const { file = sourceFile('jobs/reading-process'), heapMebibytes = HEAP_MEBIBYTES } = this.#parts;
    this.#child ??= fork(file, [], {
      serialization: 'advanced',
      execArgv: [...process.execArgv, `--max-old-space-size=${heapMebibytes}`],
      // Without memory left V8 writes pages to stderr.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return this.#child;
  }

  #endOf(isSilent: boolean, by: unknown): ReadingEnd {
    const { silenceMs = SILENCE_MS, heapMebibytes = HEAP_MEBIBYTES } = this.#parts;
    if (isSilent) return { how: 'silent', seconds: silenceMs / 1_000 };
    if (WITHOUT_MEMORY.has(by)) return { how: 'memory', mebibytes: heapMebibytes };
    return { how: 'other', by: typeof by === 'string' ? by : `code ${by}` };
  }
}

/** That the process is gone is seen by its close. */
function send(child: ChildProcess, message: ToReading): void {
  if (child.connected) child.send(message, () => {});
}

function textOf({ source }: Profile, { path }: FoundFile): { readonly text: string; readonly path: string } {
  return { text: source.text, path };
}

/** The account is free at once for the files behind it. */
async function abandon(statement: number | undefined, statements: ReadingParts['statements']): Promise<void> {
  if (statement === undefined) return;
  while (!(await statements.abandon({ statement })).done);
}
