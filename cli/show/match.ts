import { money } from '../../src/domain/money/amount.ts';
import type { MatchSummary, UndoneMatch } from '../../src/store/runs.ts';
import type { Column } from './output.ts';
import { isoTime, timeHeader, timeInColumn } from './text.ts';

// Matches as text and JSON.

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

/** How it stands, or what the next run makes of it: `confirmed by ada`. */
export function matchState({ state, decision }: Pick<MatchSummary, 'state' | 'decision'>): string {
  if (decision === null) return state === 'claimed' ? 'taken by its key; not confirmed' : state;
  return `${decision.verdict === 'together' ? 'confirmed' : 'undone'} by ${decision.by}`;
}

/** `row 17 of statement 3` */
export function lineText({ statement, row }: Pick<MatchSummary, 'statement' | 'row'>): string {
  return `row ${row} of statement ${statement}`;
}

const PAIR_COLUMNS: readonly Column<Pair>[] = [
  { header: 'LEG', value: ({ leg }) => leg, leaveOut: 3 },
  { header: 'ENV', value: ({ environment }) => environment, leaveOut: 4 },
  { header: 'OURS', value: ({ kind, reference }) => `${kind} ${reference}` },
  { header: 'STATEMENT', value: ({ statement }) => statement, align: 'right', leaveOut: 1 },
  { header: 'ROW', value: ({ row }) => row, align: 'right', leaveOut: 1 },
  { header: 'DATE', value: ({ date }) => date, leaveOut: 2 },
  { header: 'AMOUNT', value: ({ amount, currency }) => `${money(amount)} ${currency}`, align: 'right' },
];

export const MATCH_COLUMNS: readonly Column<MatchSummary>[] = [
  { header: 'ID', value: ({ id }) => id, align: 'right' },
  ...PAIR_COLUMNS,
  { header: 'PASS', value: ({ pass }) => pass, leaveOut: 5 },
  { header: 'STATE', value: matchState },
];

export const UNDONE_COLUMNS: readonly Column<UndoneMatch>[] = [
  { header: 'ID', value: ({ matchId }) => matchId ?? '-', align: 'right' },
  ...PAIR_COLUMNS,
  { header: 'BY', value: ({ decision }) => decision.by },
  { ...timeHeader('UNDONE'), value: ({ decision }) => timeInColumn(decision.atMs) },
  { header: 'COMMENT', value: ({ decision }) => decision.comment ?? '', leaveOut: 5 },
];
