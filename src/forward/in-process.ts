import type { News } from '../domain/forward-body.ts';
import { printableLine } from '../domain/printable.ts';
import type { Deliverer } from './deliver.ts';

/** Receives news in the same process; the news counts as delivered when the promise resolves. Its value is ignored. */
export type OnConfirmed = (news: News, options: { readonly signal: AbortSignal }) => unknown;

const NOTHING = { status: null, detail: null, retryAfterMs: null, holdsTarget: false } as const;
const LONGEST_DETAIL = 200;

/**
 * Delivers to a function of this process. After `timeoutMs` its signal is aborted and the attempt has failed; the next one of the
 * same record begins only when the promise has ended, so that two never run beside each other.
 */
export function inProcessDeliverer(onConfirmed: OnConfirmed, { timeoutMs }: { readonly timeoutMs: number }): Deliverer {
  const unended = new Map<string, Promise<unknown>>();
  return {
    async deliver({ environment, kind, reference, body }, stopped) {
      const record = `${environment} ${kind} ${reference}`;
      const limit = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([limit, stopped]);
      const over = new Promise<'over'>((resolve) => {
        if (signal.aborted) resolve('over');
        signal.addEventListener('abort', () => resolve('over'), { once: true });
      });
      const ended = () =>
        stopped.aborted
          ? ({ ...NOTHING, outcome: 'stopped', detail: 'the process stopped during the call' } as const)
          : ({ ...NOTHING, outcome: 'timeout', detail: `the call took more than ${timeoutMs} ms` } as const);
      if ((await Promise.race([unended.get(record), over])) === 'over') return ended();
      const news: News = JSON.parse(Buffer.from(body).toString());
      const call = Promise.resolve().then(() => onConfirmed(news, { signal }));
      const settled = call.then(
        () => ({ ...NOTHING, outcome: 'delivered' }) as const,
        (error) => ({ ...NOTHING, outcome: 'rejected', detail: textOf(error) }) as const,
      );
      const kept = settled.finally(() => {
        if (unended.get(record) === kept) unended.delete(record);
      });
      unended.set(record, kept);
      const first = await Promise.race([settled, over]);
      return first === 'over' ? ended() : first;
    },
    close: async () => {},
  };
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return printableLine(text).slice(0, LONGEST_DETAIL);
}
