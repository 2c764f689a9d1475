import { PROOF, type ProofRow } from '../../../domain/statements/lines.ts';
import { isZero } from '../decimal.ts';
import type { Explanation, Report, ReportProof } from '../model.ts';
import { amount, type Book, book, type Column, name, onlyCsv, type Step, type Table, text } from '../table.ts';
import type { PageLinks } from './links.ts';

/** A row of the proof, what its difference is made of, or a day that its statements cover. */
interface Line extends Book {
  readonly proof: ReportProof;
  readonly as: 'covers' | 'row' | 'explained' | 'unexplained';
  /** Of CSV. */
  readonly item: string;
  readonly detail?: string;
  /** Of what is explained. */
  readonly by?: Explanation;
  readonly name: string;
  readonly date?: string;
  readonly count?: number;
  readonly ours?: string;
  readonly theirs?: string;
  readonly difference?: string;
}

const NAMES: Readonly<Record<ReportProof['rows'][number]['name'], string>> = {
  ...{ opening: 'Opening', closing: 'Closing' },
  ...(Object.fromEntries(Object.entries(PROOF).map(([row, { name }]) => [row, name])) as Record<ProofRow, string>),
};

export const EXPLAINED: Readonly<Record<Explanation, string>> = {
  exceptions: 'Exceptions',
  timing: 'Not due yet',
  suggested: 'Suggested matches',
  carried: 'Carried from before',
};

/** Of each account and currency: opening and movements make the closing balance, and what is left is explained. */
export function balanceProof({ proof, environment: only }: Report, links: PageLinks): Table<Line> {
  return {
    ...{ name: 'Balance proof', title: 'Balance proof', csv: 'proof', parts: 'people' },
    titleOf: (of) => `Balance of ${of}`,
    columns: [
      ...book<Line>(only, 'account', 'currency'),
      name('Row', ({ item }) => item, {
        ...{ csv: 'item', width: 34, words: (line) => line.name },
        to: ({ by, proof }) => (by === undefined ? undefined : links.explained[by]?.(proof)),
      }),
      onlyCsv('detail', ({ detail = null }) => detail),
      text('Date', ({ date = null }) => date, { csv: 'date', isDetail: true, width: 12 }),
      onlyCsv('count', ({ count = null }) => count, 'count'),
      amount('By us', ({ ours = null }) => ours, { csv: 'ours' }),
      amount('By the statement', ({ theirs = null }) => theirs, { csv: 'theirs' }),
      ...difference(),
    ],
    rows: proof.flatMap(linesOf),
    isMinor: ({ as, item, ours = '', theirs = '' }) =>
      as === 'covers' || (as === 'row' && !isEnd(item) && isZero(ours) && isZero(theirs)),
    isSum: ({ as }) => as === 'explained' || as === 'unexplained',
    chart: ([line]) => ({ as: 'waterfall', steps: line === undefined ? [] : stepsOf(line.proof) }),
    note: ([line]) => (line === undefined ? null : noteOf(line.proof)),
  };
}

/** What an explanation adds to the difference is an effect in CSV, so that the differences there are those of the rows. */
function difference(): Column<Line>[] {
  return [
    {
      ...{ heading: 'Difference', type: 'effect', value: ({ difference = null }) => difference },
      mark: ({ as, difference = '' }) =>
        as === 'unexplained'
          ? isZero(difference)
            ? 'good'
            : 'bad'
          : as === 'row' && !isZero(difference)
            ? 'bad'
            : undefined,
    },
    onlyCsv('difference', ({ as, difference = null }) => (as === 'explained' ? null : difference), 'amount'),
    onlyCsv('effect', ({ as, difference = null }) => (as === 'explained' ? difference : null), 'amount'),
  ];
}

function linesOf(proof: ReportProof): Line[] {
  const { environment, account, currency } = proof;
  const lines: Omit<Line, 'proof' | keyof Book>[] = [
    { as: 'covers', item: 'covers', detail: 'from', name: 'Covered from', date: proof.covers.from },
    { as: 'covers', item: 'covers', detail: 'to', name: 'Covered to', date: proof.covers.to },
    ...proof.rows.map((row) => ({ ...row, as: 'row' as const, item: row.name, name: NAMES[row.name] })),
    ...proof.explained.map(({ by, count, effect }) => {
      const words = { item: 'explained', detail: by, name: `${EXPLAINED[by]} (${count})` };
      return { as: 'explained' as const, by, ...words, count, difference: effect };
    }),
    { as: 'unexplained', item: 'unexplained', name: 'Unexplained', difference: proof.unexplained },
  ];
  return lines.map((line) => ({ ...line, environment, account, currency, proof }));
}

function noteOf({ rows, isBalanceStated }: ReportProof): string | null {
  const left = rows.filter(({ name, ours, theirs }) => !isEnd(name) && isZero(ours) && isZero(theirs));
  const notes = [
    ...(isBalanceStated ? [] : ['No statement states a balance: both sides begin at 0.00.']),
    ...(left.length === 0
      ? []
      : [`0.00 on both sides: ${left.map(({ name }) => NAMES[name].toLowerCase()).join(', ')}.`]),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}

function stepsOf({ rows, explained, unexplained }: ReportProof): Step[] {
  const steps: Step[] = [];
  for (const { name, ours } of rows) {
    if (isEnd(name))
      steps.push({ name: name === 'opening' ? 'Opening' : 'Closing by us', amount: ours, as: 'balance' });
    else if (!isZero(ours)) steps.push({ name: NAMES[name], amount: ours, as: 'movement' });
  }
  for (const { by, effect } of explained)
    if (!isZero(effect)) steps.push({ name: EXPLAINED[by], amount: effect, as: 'gap' });
  if (!isZero(unexplained)) steps.push({ name: 'Unexplained', amount: unexplained, as: 'gap' });
  const closing = rows.find(({ name }) => name === 'closing');
  if (closing !== undefined) steps.push({ name: 'By statement', amount: closing.theirs, as: 'balance' });
  return steps;
}

function isEnd(name: string): boolean {
  return name === 'opening' || name === 'closing';
}
