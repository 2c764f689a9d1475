import type { FindingCode } from '../domain/findings/finding.ts';
import { VALUES_PRUNED } from '../domain/records/personal.ts';
import { shownDetail } from '../domain/text/shown-detail.ts';
import type { OpenFinding } from '../store/records.ts';
import type { Entry, Source, Wording } from './entry.ts';

// What followed from the observations: moves of the status, findings, and pruning.

export const moves: Source = ({ record: { history } }) =>
  history.map(({ atMs, field, from, to, gap }): Entry => {
    const name = field === 'reported' ? 'Reported status' : 'Confirmed status';
    const before = from === null ? '' : ` (before: ${from})`;
    const skipped = gap ? ' A status in between was never received.' : '';
    const text = `${name}: ${to ?? 'none any more'}${before}.${skipped}`;
    return { atMs, source: 'status', text, facts: { field, from, to, gap } };
  });

export const findings: Source = ({ findings: all }, wording) =>
  all.flatMap((finding) => {
    const { id, code, subject, openedAtMs, closedAtMs } = finding;
    const detail = detailText(finding, wording);
    const facts = { findingId: id, code, subject, detail };
    const opened: Entry = {
      atMs: openedAtMs,
      source: 'finding',
      text: `Finding ${id} (${code}) opened: ${FINDING_WORDS[code]}. About ${subject}: ${shownDetail({ code, detail }, wording)}.`,
      facts: { ...facts, opened: true },
    };
    if (closedAtMs === null) return [opened];
    const text = `Finding ${id} (${code}) closed: it no longer applies.`;
    return [opened, { atMs: closedAtMs, source: 'finding', text, facts: { ...facts, opened: false } }];
  });

export const prunings: Source = ({ record: { prunedAtMs }, events, variants }) => {
  if (prunedAtMs === null) return [];
  const bodies = [...events, ...variants].filter((content) => content.prunedAtMs !== null).length;
  const text = `Personal data and ${bodies === 1 ? 'one body' : `${bodies} bodies`} were pruned; the observations are kept.`;
  return [{ atMs: prunedAtMs, source: 'prune', text, facts: { bodies } }];
};

/** The values that disagree, masked when the field of the finding is. */
function detailText({ subject, detail }: OpenFinding, { value }: Wording): string {
  if (detail === VALUES_PRUNED) return 'the values were pruned';
  return detail
    .split(' ≠ ')
    .map((part) => value(subject, part))
    .join(' ≠ ');
}

const FINDING_WORDS = {
  variant: 'one event was received with different contents',
  contradiction: 'an event contradicts itself or its environment',
  fact_conflict: 'a field that must never change has several values',
  unreadable_amount: 'an amount or a currency cannot be read',
  tie: 'two statuses have the same time',
  final_regressed: 'another status was reported after a final one',
  final_conflict: 'two final outcomes were reported that exclude each other',
  reserve_mismatch: 'the reserved amounts do not add up',
  underpaid: 'less was charged than requested',
  webhook_vs_api: 'the status endpoint and the webhooks disagree',
  stuck: 'not settled, and every allowed check is used up',
  unaskable: 'its reference cannot be part of a request, so no check is possible',
  other_answer: 'a status check was answered about something else, and nothing of that answer counts',
  absent: "the service's refund list does not contain it",
  never_seen: 'nothing was received about it by its date',
  amount_unexpected: 'the amount differs from the expected amount',
  currency_unexpected: 'the currency differs from the expected currency',
} as const satisfies Record<FindingCode, string>;
