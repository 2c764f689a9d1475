import type { MatchSummary } from '../../src/store/runs.ts';
import { money } from './money.ts';
import type { Column } from './output.ts';
import { isoTime } from './text.ts';

// Matches as text and JSON.

export function matchJson(match: MatchSummary) {
  const { id, leg, kind, environment, reference, recordId, pass, state, account, statement, row } = match;
  const { date, currency, amount, run, decision } = match;
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
    decision: decisionJson(decision),
  };
}

function decisionJson(decision: MatchSummary['decision']) {
  if (decision === null) return null;
  const { verdict, by, atMs, comment } = decision;
  return { verdict, by, at: isoTime(atMs), comment };
}

/** How it stands, or what the next run makes of it: `confirmed by ada`. */
export function matchState({ state, decision }: Pick<MatchSummary, 'state' | 'decision'>): string {
  if (decision === null) return state === 'claimed' ? 'taken by its key; not confirmed' : state;
  return `${decision.verdict === 'together' ? 'confirmed' : 'undone'} by ${decision.by}`;
}

/** `row 17 of statement 3` */
export function lineText({ statement, row }: Pick<MatchSummary, 'statement' | 'row'>): string {
  return `row ${row} of statement ${statement}`;
}

export const MATCH_COLUMNS: readonly Column<MatchSummary>[] = [
  { header: 'ID', value: ({ id }) => id, align: 'right' },
  { header: 'LEG', value: ({ leg }) => leg, leaveOut: 3 },
  { header: 'ENV', value: ({ environment }) => environment, leaveOut: 4 },
  { header: 'OURS', value: ({ kind, reference }) => `${kind} ${reference}` },
  { header: 'STATEMENT', value: ({ statement }) => statement, align: 'right', leaveOut: 1 },
  { header: 'ROW', value: ({ row }) => row, align: 'right', leaveOut: 1 },
  { header: 'DATE', value: ({ date }) => date, leaveOut: 2 },
  { header: 'AMOUNT', value: ({ amount, currency }) => `${money(amount)} ${currency}`, align: 'right' },
  { header: 'PASS', value: ({ pass }) => pass, leaveOut: 5 },
  { header: 'STATE', value: matchState },
];
