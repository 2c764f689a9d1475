import { showValue } from '../../../src/domain/fields.ts';
import type { RecordKind } from '../../../src/domain/lifecycle.ts';
import type { Observation } from '../../../src/domain/observation.ts';

/**
 * The rules of the design, section 5, written a second time and as plainly as possible, with tables of its own. It shares
 * no code with the fold (but the printing of a value), so that a mistake in one is not a mistake in both.
 */
export interface NaiveState {
  reported: string | null;
  confirmed: string | null;
  facts: Record<string, string | null>;
  findings: string[];
}

type Webhook = { status: string; time: string };

const RANKS: Record<string, number> = {
  awaiting_settlement: 1,
  pending: 2,
  processing: 3,
  failed: 4,
  rejected: 5,
  success: 6,
};
const OTHER_RANKS: Record<string, number> = {
  pending: 1,
  cancelled: 2,
  abandoned: 2,
  failed: 3,
  success: 4,
  completed: 4,
  reversed: 5,
};

export function naiveState(kind: RecordKind, set: readonly Observation[]): NaiveState {
  const ranks = new Map(Object.entries(kind === 'refund' ? RANKS : OTHER_RANKS));
  const finals = kind === 'refund' ? ['success', 'rejected'] : ['reversed'];
  const findings = new Set<string>();

  const webhooks = set.filter((one) => one.witness === 'webhook');
  const claims: Webhook[] = [];
  for (const key of new Set(webhooks.map((one) => one.eventKey))) {
    const contents = webhooks.filter((one) => one.eventKey === key);
    const statuses = contents.map((one) => one.claim.status);
    const first = contents[0] as Observation;
    if (contents.length > 1) findings.add(`variant ${key}`);
    if (contents.some((one) => one.claim.contradiction)) findings.add(`contradiction ${key}`);
    if (statuses[0] === null || statuses[0] === undefined || statuses.some((status) => status !== statuses[0]))
      continue;
    claims.push({ status: statuses[0], time: sortable(first.claim.time) });
  }

  const key = (claim: Webhook): (string | number)[] => {
    const [final, rank] = [finals.includes(claim.status) ? 1 : 0, ranks.get(claim.status) ?? 0];
    return kind === 'refund' ? [final, claim.time, rank, claim.status] : [rank, claim.time, claim.status];
  };
  const greater = (one: Webhook, other: Webhook): boolean => {
    const [left, right] = [key(one), key(other)];
    const differs = left.findIndex((part, index) => part !== right[index]);
    return differs >= 0 && (left[differs] as string | number) > (right[differs] as string | number);
  };
  const winner = claims.find((one) => !claims.some((other) => greater(other, one))) ?? null;

  for (const { status, time } of claims) {
    if (winner === null || status === winner.status) continue;
    if (time !== '' && time === winner.time) findings.add(`tie ${status}`);
    const afterFinal = finals.includes(winner.status) && !finals.includes(status);
    if (afterFinal && winner.time !== '' && time > winner.time) findings.add(`final_regressed ${status}`);
  }
  const claimed = (status: string): boolean => claims.some((one) => one.status === status);
  if (kind === 'refund' && claimed('success') && claimed('rejected')) findings.add('final_conflict rejected+success');
  if (kind !== 'refund' && claimed('failed') && (claimed('success') || claimed('completed'))) {
    findings.add(`final_conflict failed+${claimed('completed') ? 'completed' : 'success'}`);
  }

  const answers = set.filter((one) => one.witness === 'api' && one.claim.status !== null);
  answers.sort((one, other) => (one.answer?.counter ?? 0) - (other.answer?.counter ?? 0));
  const words = answers.map((one) => one.claim.status as string);

  const facts: Record<string, string | null> = {};
  for (const name of new Set(set.flatMap((one) => Object.keys(one.claim.facts)))) {
    const shown = set.map((one) => showValue(one.claim.facts[name] ?? null)).filter((value) => value !== null);
    const values = new Set(shown);
    if (values.size > 1) findings.add(`fact_conflict ${name}`);
    facts[name] = values.size === 1 ? (shown[0] ?? null) : null;
  }
  for (const field of set.flatMap((one) => one.claim.unreadable)) findings.add(`unreadable_amount ${field}`);

  return {
    reported: winner?.status ?? null,
    confirmed: wordAfter(words, finals),
    facts,
    findings: [...findings].sort(),
  };
}

/** The last word, unless the word before it was final and it is the first to say otherwise. */
function wordAfter(words: readonly string[], finals: readonly string[]): string | null {
  const last = words.at(-1);
  if (last === undefined) return null;
  const before = wordAfter(words.slice(0, -1), finals);
  const alone = last !== words.at(-2);
  return before !== null && finals.includes(before) && alone ? before : last;
}

/** All fractions to twelve digits, so that texts sort as instants do; none is the least. */
function sortable(time: string | null): string {
  if (time === null) return '';
  const [whole = '', fraction = ''] = time.slice(0, -1).split('.');
  return `${whole}.${fraction.padEnd(12, '0')}`;
}
