import { money } from '../domain/money/amount.ts';
import type { MatchSummary, UndoneMatch } from '../store/runs.ts';
import { count, date, effect, type ListColumn, status, text, time, word } from './column.ts';

// Lines of statements with what they belong to, and pairs that persons took apart.

type Pair = Pick<
  MatchSummary,
  'leg' | 'environment' | 'kind' | 'reference' | 'statement' | 'row' | 'date' | 'amount' | 'currency'
>;

export function matchColumns(): ListColumn<MatchSummary>[] {
  return [
    count('Id', ({ id }) => id),
    ...pairColumns(),
    word('Pass', ({ pass }) => pass, { leaveOut: 5 }),
    status('State', matchState, { mark: ({ state }) => (state === 'confirmed' ? 'good' : 'warn') }),
  ];
}

export function undoneColumns(): ListColumn<UndoneMatch>[] {
  return [
    count('Id', ({ matchId }) => matchId),
    ...pairColumns(),
    text('By', ({ decision }) => decision.by),
    time('Undone', ({ decision }) => decision.atMs),
    text('Comment', ({ decision }) => decision.comment ?? '', { leaveOut: 5 }),
  ];
}

function pairColumns(): ListColumn<Pair>[] {
  return [
    text('Leg', ({ leg }) => leg, { leaveOut: 3 }),
    text('Env', ({ environment }) => environment, { leaveOut: 4 }),
    text('Ours', ({ kind, reference }) => `${kind} ${reference}`),
    count('Statement', ({ statement }) => statement, { leaveOut: 1 }),
    count('Row', ({ row }) => row, { leaveOut: 1 }),
    date('Date', (pair) => pair.date, { leaveOut: 2 }),
    effect('Amount', ({ amount, currency }) => `${money(amount)} ${currency}`),
  ];
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
