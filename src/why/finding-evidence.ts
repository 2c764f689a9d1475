import type { Stated } from '../domain/events/stated.ts';
import type { Finding, FindingCode } from '../domain/findings/finding.ts';
import type { Fields } from '../domain/records/fields.ts';
import { brokenFundingIdentities } from '../domain/records/refund.ts';
import type { ObservationSummary, RecordDetail } from '../store/records.ts';

/** One observation that a finding rests on, with the fields that matter to the finding. */
export interface EvidenceOfFinding {
  readonly observation: ObservationSummary;
  readonly says: Fields;
}

/** Returns the fields that matter to the finding; null when the observation has nothing to do with it. */
type Says = (observation: ObservationSummary, finding: Finding, record: RecordDetail) => Fields | null;

const NOTHING: Says = () => null;

const SAYS = {
  variant: ofEventKey,
  contradiction: ofEventKey,
  fact_conflict: ({ stated }, { subject }) => orNull(picked(stated, [subject])),
  unreadable_amount: ({ stated }, { subject }) => (stated.unreadable.includes(subject) ? {} : null),
  tie: ofRivals,
  final_regressed: ofRivals,
  final_conflict: ({ witness, status }, { subject }) =>
    witness === 'webhook' && status !== null && subject.split('+').includes(status) ? {} : null,
  reserve_mismatch: ({ stated }, { subject }, { facts }) => {
    const broken = brokenFundingIdentities(stated.facts.amount ?? facts.amount ?? null, stated.details);
    return broken.includes(subject) ? picked(stated, RESERVES) : null;
  },
  underpaid: ({ stated }) => orNull(picked(stated, CHARGE)),
  webhook_vs_api: ({ witness, status }, _finding, { reported }) =>
    witness === 'api' || (witness === 'webhook' && status === reported) ? {} : null,
  stuck: ({ witness }) => (witness === 'api' ? {} : null),
  unaskable: NOTHING,
  other_answer: NOTHING,
  absent: ({ witness }) => (witness === 'list' ? {} : null),
  never_seen: NOTHING,
  amount_unexpected: ({ stated }) => orNull(picked(stated, AMOUNT)),
  currency_unexpected: ({ stated }) => orNull(picked(stated, ['currency'])),
} as const satisfies Record<FindingCode, Says>;

/** The observations behind a finding, in the order of the record's observations; none when the finding is an absence. */
export function evidenceOf(finding: Finding, record: RecordDetail): EvidenceOfFinding[] {
  const says: Says = SAYS[finding.code];
  return record.observations.flatMap((observation) => {
    const fields = says(observation, finding, record);
    return fields === null ? [] : [{ observation, says: fields }];
  });
}

function ofEventKey({ eventKey, stated }: ObservationSummary, { subject }: Finding): Fields | null {
  return eventKey === subject ? picked(stated, AMOUNT) : null;
}

/** The reported status, and the status that contradicts it. */
function ofRivals({ witness, status }: ObservationSummary, { subject }: Finding, { reported }: RecordDetail) {
  return witness === 'webhook' && (status === subject || status === reported) ? {} : null;
}

const AMOUNT = ['requestedAmount', 'amount', 'currency'] as const;
const CHARGE = [...AMOUNT, 'fees'] as const;
const RESERVES = [
  'amount',
  'fee',
  'totalReserved',
  'availableReserved',
  'pendingReserved',
  'pendingFunded',
  'pendingRemaining',
  'fundedAt',
] as const;

/** The named fields that the observation has. */
function picked({ facts, details }: Stated, names: readonly string[]): Fields {
  const fields: Fields = { ...details, ...facts };
  return Object.fromEntries(names.flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]])));
}

function orNull(fields: Fields): Fields | null {
  return Object.keys(fields).length === 0 ? null : fields;
}
