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

/** Its next step, with the statement and row of its line where a command needs a line. */
export function placedNextStep(nextStep: string, { line }: Pick<KeptBreak, 'line'>): string {
  return line === null ? nextStep : nextStep.replace('STATEMENT:ROW', `${line.statement}:${line.row}`);
}

/** `fee_mismatch/schedule` */
export function breakName({ code, sub }: Pick<KeptBreak, 'code' | 'sub'>): string {
  return sub === null ? code : `${code}/${sub}`;
}

/** `collection C-1`, or what else it is about: `row 17 of statement 3` */
export function breakSubject({ kind, reference, line, account }: KeptBreak): string | null {
  if (reference !== null) return kind === null ? reference : `${kind} ${reference}`;
  return line === null ? account : `row ${line.row} of statement ${line.statement}`;
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
