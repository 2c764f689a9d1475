import type { Expectation } from '../expectations/expectation.ts';
import type { Finding, FindingCode } from '../findings/finding.ts';
import { parseAmount } from '../money/amount.ts';
import { type Fields, showValue } from '../records/fields.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import { PERSONAL_FIELDS } from '../records/personal.ts';
import { fundingSums } from '../records/refund.ts';
import { countedAmount, MONEY_FIELDS, type WitnessMoney } from '../records/witness-money.ts';
import type { BreakCode, BreakFacts, BreakValue, Side } from './break.ts';

/** What the break of a finding needs of its record. */
export interface FindingRecord {
  readonly kind: RecordKind;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly facts: Fields;
  readonly details: Fields;
  readonly money: WitnessMoney;
  /** What the merchant tracks; null: nothing. */
  readonly expected: Pick<Expectation, 'amount' | 'currency'> | null;
}

type Rule = (record: FindingRecord, finding: Finding) => Partial<BreakFacts> & Pick<BreakFacts, 'code'>;

/**
 * The break of each finding (docs/reconciliation.md, Breaks). Null: the record's ages and expectations decide it (`stuck`, `never_seen`), so
 * that a record has one break of them, whether or not the finding has been written.
 */
const RULES: Readonly<Record<FindingCode, Rule | null>> = {
  variant: status('variant', () => null),
  contradiction: status('contradiction', () => null),
  tie: status('tie', ({ subject }) => subject),
  final_regressed: status('final_regressed', ({ subject }) => subject),
  final_conflict: status('final_conflict', ({ subject }, ours) => otherOf(subject, ours)),
  webhook_vs_api: ({ reported, confirmed }) => webhookVersusService(reported, confirmed),
  fact_conflict: (record, finding) => ({
    code: codeOfFact(finding.subject),
    field: finding.subject,
    ...bothValues(record, finding),
  }),
  unreadable_amount: (_record, { subject }) => ({ code: 'unparsed', side: 'theirs', field: subject, ours: null }),
  reserve_mismatch: ({ facts, details }, { subject }) => {
    const sums = fundingSums(facts.amount ?? null, details).find(({ identity }) => identity === subject);
    return { code: 'reserve_mismatch', field: subject, ours: sums?.sum ?? null, theirs: sums?.total ?? null };
  },
  underpaid: ({ facts, details, money }) => ({
    code: 'amount_mismatch',
    sub: 'charge',
    field: 'amount',
    ours: facts.requestedAmount ?? null,
    theirs: money.confirmed.amount ?? details.amount ?? null,
  }),
  absent: (record) => missing(record, 'absent'),
  unaskable: ({ confirmed, reported }) => ({
    code: 'stuck',
    sub: 'unaskable',
    field: 'status',
    ours: confirmed ?? reported,
  }),
  other_answer: ({ reported, confirmed, facts }, { subject }) =>
    subject === 'currency'
      ? { code: 'currency_mismatch', sub: 'other_answer', field: 'currency', ours: facts.currency ?? null }
      : { code: 'status_mismatch', sub: 'other_answer', field: 'environment', ours: confirmed ?? reported },
  amount_unexpected: (record) => ({
    code: 'amount_mismatch',
    sub: 'expected',
    field: 'amount',
    ours: countedAmount(record).amount,
    theirs: record.expected?.amount ?? null,
  }),
  currency_unexpected: (record) => ({
    code: 'currency_mismatch',
    sub: 'expected',
    field: 'currency',
    ours: countedAmount(record).currency,
    theirs: record.expected?.currency ?? null,
  }),
  stuck: null,
  never_seen: null,
};

/** Returns the break of an open finding; null where another rule makes it. Pure. */
export function findingBreak(record: FindingRecord, finding: Finding): BreakFacts | null {
  const made = RULES[finding.code]?.(record, finding) ?? null;
  return made === null ? null : { ...NOTHING, detail: detailOf(finding), ...made };
}

/** The webhooks' status against the service's, which is our side once it has answered. */
export function webhookVersusService(reported: string | null, confirmed: string | null): BreakFacts {
  return {
    ...NOTHING,
    code: 'status_mismatch',
    sub: 'webhook_vs_api',
    field: 'status',
    ours: confirmed,
    theirs: reported,
    detail: `the webhooks report ${reported}, the service answers ${confirmed}`,
  };
}

const NOTHING = {
  sub: null,
  side: 'ours' as Side,
  field: null,
  ours: null as BreakValue,
  theirs: null as BreakValue,
  detail: null,
};

function status(sub: string, otherStatus: (finding: Finding, ours: string | null) => string | null): Rule {
  return ({ reported, confirmed }, finding) => {
    const ours = confirmed ?? reported;
    return { code: 'status_mismatch', sub, field: 'status', ours, theirs: otherStatus(finding, ours) };
  };
}

/** Of `failed+success` the one that the record does not have. */
function otherOf(subject: string, ours: string | null): string {
  const [other, ...more] = subject.split('+').filter((one) => one !== ours);
  return other === undefined || more.length > 0 ? subject : other;
}

function codeOfFact(field: string): BreakCode {
  if (field === 'amount' || field === 'requestedAmount') return 'amount_mismatch';
  return field === 'currency' ? 'currency_mismatch' : 'fact_mismatch';
}

/**
 * The two values of a fact. Those that a witness gave are said of it, and need no other words; one that is not known of its witness is
 * the other one of the finding, and of a fact without witnesses both are. Personal ones stay where they are masked.
 */
function bothValues({ kind, money }: FindingRecord, { subject, detail }: Finding): Partial<BreakFacts> {
  const ours = moneyOf(money.confirmed, subject);
  const theirs = moneyOf(money.reported, subject);
  if (ours !== null && theirs !== null) return { ours, theirs, detail: null };
  const values = detail.split(' ≠ ');
  if (PERSONAL.has(subject) || values.length !== 2) return { ours, theirs };
  const isMoney = MONEY_FIELDS[kind].some((name) => name === subject && name !== 'currency');
  const valueIn = (text: string | undefined) => (text === undefined ? null : isMoney ? parseAmount(text) : text);
  const known = ours ?? theirs;
  const [first, second] = values.filter((text) => known === null || text !== showValue(known));
  if (ours !== null) return { ours, theirs: valueIn(first) };
  if (theirs !== null) return { ours: valueIn(first), theirs };
  return { ours: valueIn(first), theirs: valueIn(second) };
}

function moneyOf(money: Fields, field: string): BreakValue {
  return money[field] ?? null;
}

/** A record of ours that the service does not have. */
function missing(record: FindingRecord, sub: string): Partial<BreakFacts> & Pick<BreakFacts, 'code'> {
  return { code: 'missing_external', sub, field: 'reference', ours: countedAmount(record).amount };
}

const PERSONAL: ReadonlySet<string> = new Set(
  Object.values(PERSONAL_FIELDS).flatMap(({ facts, details }): readonly string[] => [...facts, ...details]),
);

/** A report goes to many hands: the values of personal fields stay in `tallyhook findings`, which masks them. */
function detailOf({ code, subject, detail }: Finding): string {
  return code === 'fact_conflict' && PERSONAL.has(subject) ? 'two values were given' : detail;
}
