import type { FindingCode } from '../domain/finding.ts';
import { VALUES_PRUNED } from '../domain/personal.ts';
import type { OpenFinding } from '../store/records.ts';
import type { Entry, Source, Wording } from './entry.ts';

// What followed from what was said: moves of the status, findings, and in the end what was let go.

export const moves: Source = ({ record: { history } }) =>
  history.map(({ atMs, field, from, to, gap }): Entry => {
    const whose = field === 'reported' ? 'By the webhooks' : 'By the service itself';
    const now = to === null ? 'it has no agreed status any more' : `it is ${to}`;
    const before = from === null ? '' : `; before it was ${from}`;
    const skipped = gap ? ' A state in between was never seen.' : '';
    return { atMs, source: 'status', text: `${whose} ${now}${before}.${skipped}`, facts: { field, from, to, gap } };
  });

export const findings: Source = ({ findings: all }, wording) =>
  all.flatMap((finding) => {
    const { id, code, subject, openedAtMs, closedAtMs } = finding;
    const detail = detailText(finding, wording);
    const facts = { findingId: id, code, subject, detail };
    const opened: Entry = {
      atMs: openedAtMs,
      source: 'finding',
      text: `Finding ${id} (${code}) opened: ${FINDING_WORDS[code]}. About ${subject}: ${detail}.`,
      facts: { ...facts, opened: true },
    };
    if (closedAtMs === null) return [opened];
    const text = `Finding ${id} (${code}) closed: it no longer held.`;
    return [opened, { atMs: closedAtMs, source: 'finding', text, facts: { ...facts, opened: false } }];
  });

export const prunings: Source = ({ record: { prunedAtMs }, events, variants }) => {
  if (prunedAtMs === null) return [];
  const bodies = [...events, ...variants].filter((content) => content.prunedAtMs !== null).length;
  const text = `Personal data was pruned, and ${bodies === 1 ? 'one body' : `${bodies} bodies`}; what they said is kept.`;
  return [{ atMs: prunedAtMs, source: 'prune', text, facts: { bodies } }];
};

/** The values that disagree, each masked where the field they belong to is. */
function detailText({ subject, detail }: OpenFinding, { value }: Wording): string {
  if (detail === VALUES_PRUNED) return 'the values were pruned';
  return detail
    .split(' ≠ ')
    .map((part) => value(subject, part))
    .join(' ≠ ');
}

const FINDING_WORDS = {
  variant: 'one event came in several contents',
  contradiction: 'an event says one thing in its name and another in its data',
  fact_conflict: 'something that must never change has several values',
  unreadable_amount: 'an amount cannot be read',
  tie: 'two statuses are dated at the same moment',
  final_regressed: 'something is claimed after a status that nothing leaves',
  final_conflict: 'two outcomes are claimed that exclude each other',
  reserve_mismatch: 'the reserved sums do not add up',
  webhook_vs_api: 'the service answers otherwise than its webhooks say',
  stuck: 'not settled, and asked as often as is allowed',
  unaskable: 'nobody can ask about it',
  absent: "the service's list does not have it",
  never_seen: 'nobody has said anything about it by its date',
  amount_unexpected: 'the amount is not the one that was expected',
  currency_unexpected: 'the currency is not the one that was expected',
} as const satisfies Record<FindingCode, string>;
