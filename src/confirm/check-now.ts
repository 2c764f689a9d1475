import type { Environment } from '../domain/environment.ts';
import { isSettled } from '../domain/records/lifecycle.ts';
import type { Client } from '../service/client.ts';
import type { Checks, ConfirmedStatus, LeasedCheck } from '../store/checks.ts';
import type { Clock } from '../time/clock.ts';
import { check } from './check.ts';
import type { CheckParts } from './parts.ts';
import { VainChecks } from './vain-checks.ts';

/** A payment by its reference. */
export interface Payment {
  readonly environment: Environment;
  readonly reference: string;
}

export interface CheckNowParts {
  readonly checks: Checks;
  /** One per environment that has keys. */
  readonly clients: () => Promise<ReadonlyMap<Environment, Client>>;
  readonly clock: Clock;
  /** IANA zone that reads zone-less times (decision 87). */
  readonly zone: string;
  /** Longer than a call of the client can take. */
  readonly leaseMs: number;
  /** How long to wait for a check of the same payment that another process has leased. */
  readonly patienceMs: number;
  /** Limits the requests to the service; a visit that shares a check, or its result, takes none. */
  readonly budget: CheckBudget;
  /** A check was not sent because the budget is used up. */
  readonly onOverBudget: () => void;
  readonly onChecked?: CheckParts['onChecked'];
  readonly sleep: (ms: number) => Promise<void>;
}

/** Requests to the service that are still allowed. */
export interface CheckBudget {
  /** Takes one if one is left; returns whether it did. */
  take(): boolean;
  /** Gives back one that was taken and not used. */
  giveBack(): void;
}

/** How long a response is reused: 60 s once settled, 5 s before. */
const SETTLED_FRESH_MS = 60_000;
const FRESH_MS = 5_000;
/** Between two looks at a check that another process has leased. */
const LOOK_AGAIN_MS = 100;

/**
 * Checks one collection at once, because its customer waits (decision 67). The check is like every other: leased, and
 * finished with its evidence; there is never a second one of the same payment at the same time.
 */
export function checkNow({
  checks,
  clients,
  clock,
  zone,
  leaseMs,
  patienceMs,
  budget,
  onOverBudget,
  onChecked,
  sleep,
}: CheckNowParts) {
  const underway = new Map<string, Promise<ConfirmedStatus>>();
  const vain = new VainChecks(FRESH_MS);
  const read = ({ environment, reference }: Payment) =>
    checks.confirmedStatus({ kind: 'collection', environment, reference });

  async function checkOnce(payment: Payment): Promise<ConfirmedStatus> {
    const startMs = clock.nowMs();
    const client = (await clients()).get(payment.environment);
    let ended = client === undefined;
    let sent = false;
    for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
      if (client !== undefined && budget.take()) {
        sent = await checkIfFree(client, payment);
        if (!sent) budget.giveBack();
        ended = sent || waitedMs >= patienceMs;
      } else if (client !== undefined) {
        ended = true;
        onOverBudget();
      }
      const elapsedMs = clock.nowMs() - startMs;
      const known = await read(payment);
      if (known === null) throw new Error(`The collection ${payment.reference} is gone.`);
      // An answer that came since: of this check, or of another process.
      if (isWithin(known, elapsedMs)) return known;
      if (sent) vain.keep(nameOf(payment), withoutStatus(known), clock.nowMs());
      if (ended) return withoutStatus(known);
      await sleep(LOOK_AGAIN_MS);
    }
  }

  /** Checks the payment unless another process does; returns whether a request was sent. */
  async function checkIfFree(client: Client, payment: Payment): Promise<boolean> {
    const leased = await lease(payment);
    if (leased !== undefined) await checkLeased(client, leased);
    return leased !== undefined;
  }

  async function lease({ environment, reference }: Payment): Promise<LeasedCheck | undefined> {
    const filter = { kinds: ['collection'], environments: [environment], reference } as const;
    const [leased] = await checks.lease({ filter, limit: 1, leaseMs });
    return leased;
  }

  /**
   * A check without a usable answer is released: visits must not use up the attempts of the sweep. One that contradicts the
   * record is finished, because that is a finding, and counts as no attempt either.
   */
  async function checkLeased(client: Client, leased: LeasedCheck): Promise<void> {
    const { counter, kind, recordId, environment, reference, dueAtMs, wasDue } = leased;
    let finished = false;
    try {
      const { retryAfterMs: _, ...ended } = await check(client, leased, zone);
      const { outcome, answer } = ended;
      onChecked?.({ environment, kind, reference, outcome, status: answer?.stated.status ?? null });
      if (answer === null && ended.contradiction === undefined) return;
      const extra = wasDue && answer !== null ? {} : { extra: { dueAtMs } };
      await checks.finish([{ counter, kind, recordId, ...ended, ...extra }]);
      finished = true;
    } finally {
      if (!finished) await checks.release([leased]);
    }
  }

  return {
    /** The payment without a check; its status only while it is fresh. Null: no payment of ours. */
    async look(payment: Payment): Promise<ConfirmedStatus | null> {
      const known = await read(payment);
      return known === null || isFresh(known) ? known : withoutStatus(known);
    },

    /** The payment after a check; concurrent calls for one payment share one check, and later ones its result for a while. */
    check(payment: Payment): Promise<ConfirmedStatus> {
      const name = nameOf(payment);
      const recent = vain.recent(name, clock.nowMs());
      if (recent !== undefined) return Promise.resolve(recent);
      const checked = underway.get(name) ?? checkOnce(payment).finally(() => underway.delete(name));
      underway.set(name, checked);
      return checked;
    },

    /** Resolves when no check is under way. */
    async idle(): Promise<void> {
      await Promise.allSettled(underway.values());
    },
  };
}

function nameOf({ environment, reference }: Payment): string {
  return `${environment} ${reference}`;
}

function isFresh(known: ConfirmedStatus): boolean {
  const { status } = known;
  return status !== null && isWithin(known, (isSettled('collection', status) ? SETTLED_FRESH_MS : FRESH_MS) - 1);
}

/** Whether the latest answer is this old at most. A negative age, after the clock was set back, is unknown. */
function isWithin({ answerAgeMs }: ConfirmedStatus, oldestMs: number): boolean {
  return answerAgeMs !== null && answerAgeMs >= 0 && answerAgeMs <= oldestMs;
}

function withoutStatus(known: ConfirmedStatus): ConfirmedStatus {
  return { ...known, status: null, amount: null, currency: null };
}
