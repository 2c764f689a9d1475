import type { FoundBreak, KeptBreak } from '../../src/store/runs.ts';

// Breaks that a run kept, as JSON.

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
