import { breakSubject } from '../../src/reconcile/exceptions/words.ts';
import { breakName } from '../../src/reconcile/report/words.ts';
import type { FoundBreak, KeptBreak } from '../../src/store/runs.ts';
import type { Column } from './output.ts';

// Breaks that a run kept, as text and JSON.

type Fact = Exclude<keyof KeptBreak, 'id' | 'date' | 'firstSeen' | 'reason' | 'nextStep' | 'recordId'>;

export function keptBreakJson(one: FoundBreak) {
  const { id, run, firstSeen, reason, nextStep } = one;
  return { id, run, ...breakFacts(one), firstSeen, reason, nextStep };
}

/** The fields that every list of breaks has, in their order; docs/cli.md describes them. */
export function breakFacts(one: Pick<KeptBreak, Fact>) {
  return {
    code: one.code,
    sub: one.sub,
    leg: one.leg,
    side: one.side,
    kind: one.kind,
    environment: one.environment,
    account: one.account,
    reference: one.reference,
    field: one.field,
    currency: one.currency,
    ours: one.ours,
    theirs: one.theirs,
    variance: one.variance,
    effect: one.effect,
    line: one.line === null ? null : { statement: one.line.statement, row: one.line.row },
    candidates: one.candidates,
  };
}

export const KEPT_BREAK_COLUMNS: readonly Column<FoundBreak>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'ENV', value: ({ environment }) => environment, leaveOut: 3 },
  { header: 'CODE', value: breakName },
  { header: 'ABOUT', value: breakSubject },
  { header: 'OURS', value: ({ ours }) => ours, align: 'right', leaveOut: 2 },
  { header: 'THEIRS', value: ({ theirs }) => theirs, align: 'right', leaveOut: 2 },
  { header: 'EFFECT', value: ({ effect }) => effect, align: 'right', leaveOut: 4 },
  { header: 'CURRENCY', value: ({ currency }) => currency, leaveOut: 4 },
  { header: 'SINCE', value: ({ firstSeen }) => firstSeen, leaveOut: 1 },
  { header: 'WHY', value: ({ reason }) => reason, wraps: true },
];
