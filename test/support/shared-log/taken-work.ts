import { termsOf } from '../../../src/alert/terms.ts';
import type { Operations } from '../../../src/store/operations.ts';

/** How long a machine holds what it takes; a lease of news outlasts the attempt by 10 seconds. */
export const LEASE_MS = 60_000;
const TIMEOUT_MS = LEASE_MS - 10_000;
const HOUR_MS = 3_600_000;

/** What a machine holds. */
export interface Held {
  /** The kind of work and its id. */
  readonly key: string;
  readonly untilMs: number;
  /** Ends it; false: nothing was written. */
  readonly end: () => Promise<boolean>;
}

/** The run of a job is free once its process is gone, which others of its host see; anything else once its lease is over. */
export const isFreeOnceGone = (key: string): boolean => key.startsWith('job ');
/** What may be done once, and not again later. */
export const isDoneOnce = (key: string): boolean => /^(news|notice) /.test(key);

const TERMS = termsOf({
  ...{ name: null, coolDownMinutes: 0, remindHours: 0, webhook: null, mail: null, heartbeat: null, allowHttp: false },
  causes: {},
});

/** Plans the target of the news and the job, of which machines then take each piece. */
export async function planWork({ outbox, jobs }: Operations): Promise<void> {
  const target = {
    name: 'shop',
    environments: ['test'],
    kinds: ['refund'],
    when: 'received',
    news: 'every',
    events: null,
  } as const;
  await outbox.plan({ targets: [target] });
  await jobs.plan({ jobs: [{ job: 'sweep', schedule: '* * * * *', zone: 'UTC' }] });
}

/** What one machine gets of each kind of work. */
export async function takenBy(
  operations: Operations,
  { holder, round, nowMs }: { holder: string; round: number; nowMs: number },
): Promise<Held[]> {
  const { checks, jobs, outbox, alerts } = operations;
  const filter = { kinds: ['refund'], environments: ['test'] } as const;
  const open = {
    name: 'shop',
    concurrency: 100,
    free: 5,
    timeoutMs: TIMEOUT_MS,
    includeBody: false,
    longestWaitMs: HOUR_MS,
  };
  const size = round + 1;
  const stuck = { cause: 'stuck', subject: `live ${round}`, size, facts: { records: size } } as const;
  await alerts.judge({ conditions: [stuck], scope: [], terms: TERMS, marks: {} });
  const [due, runs, news, notices] = await Promise.all([
    checks.lease({ filter, limit: 3, leaseMs: LEASE_MS }),
    jobs.leaseDue({ jobs: ['sweep'], holder, leaseMs: LEASE_MS }),
    outbox.exchange({ ended: [], open: [open] }),
    alerts.leaseNotices({ channels: ['log'], limit: 3, leaseMs: LEASE_MS }),
  ]);
  const retry = { firstMs: 5_000, maxMs: 60_000, giveUpMs: HOUR_MS };
  return [
    ...due.map(({ counter, kind, recordId, leasedUntilMs }) => ({
      key: `check ${recordId}`,
      untilMs: leasedUntilMs,
      end: async () => {
        const finished = { counter, kind, recordId, outcome: 'unavailable', answer: null, detail: null } as const;
        return (await checks.finish([finished]))[0]?.accepted === true;
      },
    })),
    ...runs.map(({ run, job, leasedUntilMs }) => ({
      key: `job ${job}`,
      untilMs: leasedUntilMs,
      end: () => jobs.finish({ run, job, outcome: 'done', detail: '' }),
    })),
    ...news.leased.map(({ webhookId, attempt, leasedUntilMs }) => ({
      key: `news ${webhookId}`,
      untilMs: leasedUntilMs,
      end: async () => {
        const facts = { webhookId, attempt, outcome: 'delivered', status: 200, detail: null, retry } as const;
        const { states } = await outbox.exchange({
          ended: [{ ...facts, retryAfterMs: null, holdsTarget: false }],
          open: [],
        });
        return states[0] !== null;
      },
    })),
    ...notices.map(({ id, attempt }) => ({
      key: `notice ${id}`,
      untilMs: nowMs + LEASE_MS,
      end: () => alerts.finishNotice({ id, attempt, error: null }),
    })),
  ];
}
