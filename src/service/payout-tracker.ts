import { canonicalDigest } from '../domain/json.ts';
import type { KeptRequest, RequestState, StartedRecord } from '../domain/request.ts';
import { AmbiguousOutcomeError } from './errors/outcome-errors.ts';
import { ServiceError } from './errors/service-error.ts';
import { IdempotencyKeyReusedError } from './errors/usage-errors.ts';
import type { CallContext } from './options.ts';
import type { PayoutAcceptance } from './payouts.ts';
import { type BodyFields, wireOf } from './request-body.ts';

/** What the journal knows of a payout before it is sent. */
export interface BegunPayout {
  /** It was begun before and not refused: nobody knows whether it was sent. */
  readonly again: boolean;
}

/** Keeps payouts in the journal, when the client has one: the reference before sending, the outcome after it. */
export function createPayoutTracker({ journal, environment, nowMs }: CallContext) {
  function record(body: BodyFields, reference: string, answer: PayoutAcceptance | null): StartedRecord {
    const wire = { ...wireOf(body), ...answer?.payout.wire };
    return { kind: 'payout', environment, reference, wire, nowMs: nowMs() };
  }

  async function settle(state: RequestState, key: string, started: StartedRecord | null): Promise<void> {
    await journal?.settle({ kind: 'payout', environment, key, state, record: started, nowMs: nowMs() });
  }

  return {
    /** Throws IdempotencyKeyReusedError when the reference is bound to a payout with other content. */
    async begin(path: string, body: BodyFields, reference: string): Promise<BegunPayout> {
      const contentDigest = canonicalDigest([path, wireOf(body)]);
      const keys = { reference, key: reference, proposedKey: reference };
      const intent = { kind: 'payout', environment, contentDigest, ...keys, nowMs: nowMs() } as const;
      const kept: KeptRequest | undefined = await journal?.begin(intent);
      if (kept === undefined) return { again: false };
      if (kept.contentDigest !== contentDigest) throw new IdempotencyKeyReusedError(reference, 'reference');
      return { again: kept.attempts > 1 };
    },
    /** Runs the request and keeps its outcome; an unknown one is tracked too, so that it is asked about later. */
    async settled(
      { again }: BegunPayout,
      body: BodyFields,
      reference: string,
      run: () => Promise<PayoutAcceptance>,
    ): Promise<PayoutAcceptance> {
      let answer: PayoutAcceptance;
      try {
        answer = await run();
      } catch (error) {
        if (error instanceof AmbiguousOutcomeError) await settle('open', reference, record(body, reference, null));
        // A refusal of a first attempt says that nothing happened; of a later one, only that this attempt did nothing.
        // What is no error of the call, such as a codec's, says nothing at all.
        else if (!again && error instanceof ServiceError) await settle('refused', reference, null);
        throw error;
      }
      // Outside: a journal that fails now must not turn a payout that was sent into a refused one.
      await settle('accepted', reference, record(body, reference, answer));
      return answer;
    },
  };
}
