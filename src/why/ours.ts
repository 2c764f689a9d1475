import { formatAmount } from '../domain/amount.ts';
import type { Claim } from '../domain/claim.ts';
import type { RequestSummary } from '../store/story.ts';
import { claimFacts, claimText, type Entry, iso, type Source, sumText, times, type Wording } from './entry.ts';

// What we did and what we were told to expect, before the service had a say.

/** Requests are kept with their times; of one whose row is not here the answer alone tells. */
export const requests: Source = ({ record, requests: kept }, wording) => {
  const claims = record.observations.filter(({ witness }) => witness === 'request').map(({ claim }) => claim);
  // Without a status it is what we sent, tracked before it left.
  const answers = claims.filter(({ status }) => status !== null);
  if (kept.length > 0) return kept.flatMap((request) => requestEntries(request, answers, wording));
  return answers.map((claim) => ({
    atMs: record.firstSeenAtMs,
    source: 'request',
    text: `We started this ${record.kind}; the service answered: ${claimText(claim, wording)}.`,
    facts: claimFacts(claim),
  }));
};

/** A request as two entries: begun, and what the service said to it. */
export function requestEntries(request: RequestSummary, answers: readonly Claim[], wording: Wording): Entry[] {
  const { key, state, attempts, settledAtMs, kind, reference, recordReference } = request;
  const facts = { requestId: request.id, key, reference, recordReference, state, attempts };
  const again = attempts > 1 ? `; begun ${times(attempts)}, always under this key, so that it counts once` : '';
  const begun: Entry = {
    atMs: request.createdAtMs,
    source: 'request',
    text: `We asked the service for ${ASKED_FOR[kind](reference)} (${KEY[kind]} ${key}${again}).${OPEN[state] ?? ''}`,
    facts,
  };
  if (settledAtMs === null) return [begun];
  const said = answers.map((claim) => claimText(claim, wording)).join('; then ');
  const text =
    state === 'refused' ? 'The service refused it.' : `The service took it${said === '' ? '' : `: ${said}`}.`;
  return [begun, { atMs: settledAtMs, source: 'request', text, facts: { ...facts, settledAt: iso(settledAtMs) } }];
}

const ASKED_FOR = {
  refund: (transaction) => `a refund of payment ${transaction}`,
  payout: (reference) => `payout ${reference}`,
  collection: (reference) => `payment ${reference}`,
} as const satisfies Record<RequestSummary['kind'], (reference: string) => string>;

const KEY = {
  refund: 'idempotency key',
  payout: 'its own reference',
  collection: 'its own reference',
} as const satisfies Record<RequestSummary['kind'], string>;

const OPEN: Partial<Record<RequestSummary['state'], string>> = {
  open: ' What became of it is not known: nobody can say yet whether the service took it.',
};

export const expectations: Source = ({ record: { tracked } }, { time }) => {
  if (tracked === null) return [];
  const { currency, expectedByMs, trackedAtMs } = tracked;
  const amount = tracked.amount === null ? null : formatAmount(tracked.amount);
  const what = sumText(amount, currency) ?? currency ?? 'it';
  const by = expectedByMs === null ? '' : ` by ${time(expectedByMs)}`;
  const facts = { amount, currency, expectedBy: iso(expectedByMs) };
  return [{ atMs: trackedAtMs, source: 'expectation', text: `We were told to expect ${what}${by}.`, facts }];
};
