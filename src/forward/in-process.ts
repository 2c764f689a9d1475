import type { ConfirmedNews } from '../domain/forwarding/news.ts';
import { printableLine } from '../domain/text/printable.ts';
import type { RecordName } from '../store/outbox.ts';
import type { Delivered, Deliverer } from './deliver.ts';

/** Receives news in the same process; the news counts as delivered when the promise resolves. Its value is ignored. */
export type OnConfirmed = (news: ConfirmedNews, options: { readonly signal: AbortSignal }) => unknown;

const NOTHING = { status: null, detail: null, retryAfterMs: null, holdsTarget: false } as const;
const LONGEST_DETAIL = 200;

/**
 * Delivers to a function of this process. After `timeoutMs` its signal is aborted and the attempt has failed; the record is `working`
 * until the promise has ended, so that two never run beside each other.
 */
export function inProcessDeliverer(onConfirmed: OnConfirmed, { timeoutMs }: { readonly timeoutMs: number }): Deliverer {
  const working = new Set<RecordName>();
  return {
    async deliver({ environment, kind, reference, body }, stopped) {
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped]);
      const over = new Promise<Delivered>((resolve) => {
        const end = () => resolve(stopped.aborted ? STOPPED : timedOut(timeoutMs));
        if (signal.aborted) end();
        signal.addEventListener('abort', end, { once: true });
      });
      const news: ConfirmedNews = JSON.parse(Buffer.from(body).toString());
      const record = { environment, kind, reference };
      working.add(record);
      const settled = Promise.resolve()
        .then(() => onConfirmed(news, { signal }))
        .then((): Delivered => ({ ...NOTHING, outcome: 'delivered' }))
        .catch((error): Delivered => ({ ...NOTHING, outcome: 'rejected', detail: textOf(error), error }))
        .finally(() => working.delete(record));
      return Promise.race([settled, over]);
    },
    working: () => [...working],
    close: async () => {},
  };
}

const STOPPED: Delivered = { ...NOTHING, outcome: 'stopped', detail: 'the process stopped during the call' };

function timedOut(timeoutMs: number): Delivered {
  return { ...NOTHING, outcome: 'timeout', detail: `the call took more than ${timeoutMs} ms` };
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return printableLine(text).slice(0, LONGEST_DETAIL);
}
