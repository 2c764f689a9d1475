import type { Stated } from '../domain/events/stated.ts';
import { formatAmount } from '../domain/money/amount.ts';
import type { RequestSummary } from '../store/story.ts';
import { type Entry, iso, type Source, statedFacts, statedText, sumText, times, type Wording } from './entry.ts';

// What we sent to the service, and what the merchant tracks.

/** Requests with their times; the answer alone where the request was not journalled in this database. */
export const requests: Source = ({ record, requests: kept }, wording) => {
  const stated = record.observations.filter(({ witness }) => witness === 'request').map(({ stated }) => stated);
  // An observation without a status is what we sent, tracked before sending.
  const answers = stated.filter(({ status }) => status !== null);
  if (kept.length > 0) return kept.flatMap((request) => requestEntries(request, answers, wording));
  return answers.map((stated) => ({
    atMs: record.firstSeenAtMs,
    source: 'request',
    text: `We started this ${record.kind}; the service answered: ${statedText(stated, wording)}.`,
    facts: statedFacts(stated),
  }));
};

/** A request as two entries: its start, and the answer of the service. */
export function requestEntries(request: RequestSummary, answers: readonly Stated[], wording: Wording): Entry[] {
  const { key, state, attempts, settledAtMs, kind, reference, recordReference } = request;
  const facts = { requestId: request.id, key, reference, recordReference, state, attempts };
  const again = attempts > 1 ? `; attempted ${times(attempts)} with this key, so it counts once` : '';
  const begun: Entry = {
    atMs: request.createdAtMs,
    source: 'request',
    text: `We requested ${REQUESTED[kind](reference)} (${KEY[kind]} ${key}${again}).${OPEN[state] ?? ''}`,
    facts,
  };
  if (settledAtMs === null) return [begun];
  const answered = answers.map((stated) => statedText(stated, wording)).join('; then ');
  const text =
    state === 'refused' ? refusedText(request, wording) : `The service accepted it${answered && `: ${answered}`}.`;
  const why = state === 'refused' ? refusalFacts(request, wording) : {};
  const settled = { ...facts, settledAt: iso(settledAtMs), ...why };
  return [begun, { atMs: settledAtMs, source: 'request', text, facts: settled }];
}

/** `The service refused it (422): "Amount exceeds 30.00".` Without a status, the service was never reached. */
function refusedText({ refusal }: RequestSummary, { value }: Wording): string {
  const { httpStatus = null, message = null } = refusal ?? {};
  const said = message === null ? null : value('message', message);
  if (httpStatus === null) return said === null ? 'The service refused it.' : `Nothing was done: ${said}`;
  return `The service refused it (${httpStatus})${said === null ? '' : `: ${JSON.stringify(said)}`}.`;
}

function refusalFacts({ refusal }: RequestSummary, { value }: Wording): Entry['facts'] {
  const message = refusal?.message ?? null;
  return {
    httpStatus: refusal?.httpStatus ?? null,
    message: message === null ? null : value('message', message),
  };
}

const REQUESTED = {
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
  open: ' Its outcome is unknown: the service may or may not have accepted it.',
};

export const expectations: Source = ({ record: { tracked } }, { deadline }) => {
  if (tracked === null) return [];
  const { currency, expectedByMs, trackedAtMs } = tracked;
  const amount = tracked.amount === null ? null : formatAmount(tracked.amount);
  const what = sumText(amount, currency) ?? currency ?? 'it';
  const by = expectedByMs === null ? '' : ` by ${deadline(expectedByMs)}`;
  const facts = { amount, currency, expectedBy: iso(expectedByMs) };
  return [{ atMs: trackedAtMs, source: 'expectation', text: `Tracked: we expect ${what}${by}.`, facts }];
};
