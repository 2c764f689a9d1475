import type { Environment } from '../domain/environment.ts';
import { isSettled } from '../domain/lifecycle.ts';
import type { Client } from '../service/client.ts';
import type { Confirmations, LastWord, Question } from '../store/checks.ts';
import type { Clock } from '../time/clock.ts';
import { ask } from './check.ts';

/** A payment by its reference. */
export interface Payment {
  readonly environment: Environment;
  readonly reference: string;
}

export interface AskNowParts {
  readonly confirmations: Confirmations;
  /** One per environment that has keys. */
  readonly clients: () => Promise<ReadonlyMap<Environment, Client>>;
  readonly clock: Clock;
  /** IANA zone that reads zone-less times (decision 87). */
  readonly zone: string;
  /** Longer than the client takes at most: until then nobody else asks. */
  readonly leaseMs: number;
  /** For a question that somebody else is asking. */
  readonly patienceMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A settled word is not asked for again within this; nor is any other within the shorter time, however often somebody comes. */
const SETTLED_FRESH_MS = 60_000;
const FRESH_MS = 5_000;
/** Between two looks at a question that somebody else is asking. */
const LOOK_AGAIN_MS = 100;

/**
 * Asks the service about one collection at once, because its customer waits (decision 67). The question is like every
 * other: claimed under a lease, ended with its evidence, and a second one is not asked beside it.
 */
export function askNow({ confirmations, clients, clock, zone, leaseMs, patienceMs, sleep }: AskNowParts) {
  const underway = new Map<string, Promise<LastWord>>();
  const lastWord = ({ environment, reference }: Payment) =>
    confirmations.lastWord({ kind: 'collection', environment, reference });

  async function askOnce(payment: Payment): Promise<LastWord> {
    const startMs = clock.nowMs();
    const client = (await clients()).get(payment.environment);
    let asked = client === undefined;
    for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
      const question = client === undefined ? undefined : await claim(payment);
      if (question !== undefined && client !== undefined) {
        await askClaimed(client, question);
        asked = true;
      }
      const word = await lastWord(payment);
      if (word === null) throw new Error(`The collection ${payment.reference} is gone.`);
      if (word.answeredAtMs !== null && word.answeredAtMs >= startMs) return word;
      if (asked || waitedMs >= patienceMs) return unsaid(word);
      await sleep(LOOK_AGAIN_MS);
    }
  }

  async function claim({ environment, reference }: Payment): Promise<Question | undefined> {
    const filter = { kinds: ['collection'], environments: [environment], reference } as const;
    const [question] = await confirmations.claim({ filter, limit: 1, leaseMs, nowMs: clock.nowMs() });
    return question;
  }

  /** Whatever is no status is left to the sweep, which is due as it was: a visitor must not use up its attempts. */
  async function askClaimed(client: Client, question: Question): Promise<void> {
    const { counter, kind, recordId, dueAtMs } = question;
    let ended = false;
    try {
      const { outcome, answer, detail } = await ask(client, question, zone);
      if (answer === null) return;
      const nowMs = clock.nowMs();
      const wasDue = dueAtMs !== null && dueAtMs <= nowMs;
      const extra = wasDue ? {} : { extra: { dueAtMs } };
      await confirmations.end([{ counter, kind, recordId, nowMs, outcome, answer, detail, ...extra }]);
      ended = true;
    } finally {
      if (!ended) await confirmations.release([question]);
    }
  }

  return {
    /** What is known without asking; the status only while it is fresh. Null: no payment of ours. */
    async look(payment: Payment): Promise<LastWord | null> {
      const word = await lastWord(payment);
      return word === null || isFresh(word, clock.nowMs()) ? word : unsaid(word);
    },

    /** What the service says now. Several who ask for one payment share one question. */
    ask(payment: Payment): Promise<LastWord> {
      const name = `${payment.environment} ${payment.reference}`;
      const answer = underway.get(name) ?? askOnce(payment).finally(() => underway.delete(name));
      underway.set(name, answer);
      return answer;
    },

    /** Resolves when nothing is being asked any more. */
    async idle(): Promise<void> {
      await Promise.allSettled(underway.values());
    },
  };
}

function isFresh({ status, answeredAtMs }: LastWord, nowMs: number): boolean {
  if (status === null || answeredAtMs === null) return false;
  const ageMs = nowMs - answeredAtMs; // negative once the clock was set back: then nobody knows
  return ageMs >= 0 && ageMs < (isSettled('collection', status) ? SETTLED_FRESH_MS : FRESH_MS);
}

function unsaid(word: LastWord): LastWord {
  return { ...word, status: null, amount: null, currency: null };
}
