import { money } from '../../src/domain/money/amount.ts';
import type { MatchSummary, UndoneMatch } from '../../src/store/runs.ts';
import { isoTime } from './text.ts';

// Matches as JSON.

export function matchJson(match: MatchSummary) {
  const { id, pass, state, run } = match;
  return jsonOf(match, { id, pass, state, run });
}

/** A pair that a person took apart, with the number of its last match. */
export function undoneJson(undone: UndoneMatch) {
  const { matchId: id, pass, run } = undone;
  return jsonOf(undone, { id, pass, state: 'undone', run });
}

type Pair = Omit<MatchSummary, 'id' | 'pass' | 'state' | 'run'>;
type OfMatch = { readonly [Name in 'id' | 'pass' | 'state' | 'run']: string | number | null };

function jsonOf(pair: Pair, { id, pass, state, run }: OfMatch) {
  const { leg, kind, environment, reference, recordId, account, statement, row, date, currency, amount } = pair;
  return {
    id,
    leg,
    kind,
    environment,
    reference,
    recordId,
    pass,
    state,
    account,
    line: { statement, row },
    date,
    currency,
    amount: money(amount),
    run,
    decision: decisionJson(pair.decision),
  };
}

function decisionJson(decision: MatchSummary['decision']) {
  if (decision === null) return null;
  const { verdict, by, atMs, comment } = decision;
  return { verdict, by, at: isoTime(atMs), comment };
}
