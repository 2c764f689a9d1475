import type { ServerResponse } from 'node:http';
import type { Looking } from './looking.ts';
import type { Route } from './route.ts';

export interface StreamsParts {
  readonly looking: Pick<Looking, 'listen'>;
  /** Whether a session still is there. */
  readonly isLive: (session: string) => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/** A comment on an idle stream, so that a proxy keeps it, and a look whether its session is still there, in milliseconds. */
const SIGN_MS = 20_000;

/** The server-sent streams, one per session: the newest window listens, and an older one is told that it is over. */
export class Streams {
  readonly #parts: StreamsParts;
  readonly #bySession = new Map<string, () => void>();

  constructor(parts: StreamsParts) {
    this.#parts = parts;
  }

  /** Says on the connection which regions of pages became old, until it ends. Its head is written already. */
  listen(session: string, raw: ServerResponse): void {
    const { looking, isLive, stopping } = this.#parts;
    const stop = () => {
      if (!raw.writableEnded) raw.end('event: over\ndata:\n\n');
    };
    this.#bySession.get(session)?.();
    this.#bySession.set(session, stop);
    raw.write(': listening\n\n');
    const sign = setInterval(async () => {
      if (!(await isLive(session).catch(() => true))) stop();
      else if (!raw.writableEnded) raw.write(': \n\n');
    }, SIGN_MS);
    const end = looking.listen((old) => raw.write(`event: old\ndata: ${old.join(' ')}\n\n`));
    if (end === null) stop();
    stopping.addEventListener('abort', stop);
    raw.once('close', () => {
      clearInterval(sign);
      end?.();
      stopping.removeEventListener('abort', stop);
      if (this.#bySession.get(session) === stop) this.#bySession.delete(session);
    });
  }
}

/** Says what became old. */
export const streamRoutes: readonly Route[] = [
  {
    ...{ method: 'GET', path: '/stream', act: 'read', weight: 'light', isUse: false },
    handle: async () => ({ listens: true }),
  },
];
