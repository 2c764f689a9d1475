import { isZero } from '../decimal.ts';
import type { Explanation, Report, ReportExplained, ReportProof } from '../model.ts';
import { amount, currency, environment, name, type Section, section, text } from './section.ts';

interface Line {
  readonly environment: ReportProof['environment'];
  readonly account: string;
  readonly currency: string;
  readonly name: string;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly difference: string;
}

/** The balance proof of each account, row by row: for a sheet. */
export function balanceProof({ proof, environment: only }: Report): Section {
  return section({ name: 'Balance proof', title: 'Balance proof', totals: false }, proof.flatMap(linesOf), [
    ...environment<Line>(only),
    text('Account', 22, (line) => line.account),
    currency(),
    ...figures(),
  ]);
}

/** The balance proof of one account, without rows in which nothing moved: for a screen. */
export function balanceOf(proof: ReportProof): Section {
  const { account, currency, environment, isBalanceStated } = proof;
  const without = isBalanceStated ? '' : '; no statement gives a balance, so both begin at 0.00';
  const title = `Balance of ${account}, ${currency} (${environment}${without})`;
  return section({ name: account, title, totals: false }, linesOf(proof).filter(isShown), figures());
}

function figures() {
  return [
    name<Line>('Row', 34, (line) => line.name),
    amount<Line>('By us', (line) => line.ours),
    amount<Line>('By the statement', (line) => line.theirs),
    amount<Line>('Difference', (line) => line.difference),
  ];
}

function isShown({ name, ours, theirs }: Line): boolean {
  return name === 'opening' || name === 'closing' || ours === null || !isZero(ours) || !isZero(theirs ?? '0.00');
}

function linesOf({ environment, account, currency, rows, explained, unexplained }: ReportProof): Line[] {
  const own = { environment, account, currency };
  return [
    ...rows.map((row) => ({ ...own, ...row, name: row.name.replace('_', ' ') })),
    ...explained.map((one) => ({ ...own, name: wordsOf(one), ours: null, theirs: null, difference: one.effect })),
    { ...own, name: 'unexplained', ours: null, theirs: null, difference: unexplained },
  ];
}

const WORDS: Readonly<Record<Explanation, readonly [one: string, several: string]>> = {
  exceptions: ['exception', 'exceptions'],
  timing: ['item not due yet', 'items not due yet'],
  suggested: ['match to confirm', 'matches to confirm'],
  carried: ['item from before', 'items from before'],
};

function wordsOf({ by, count }: ReportExplained): string {
  return `of which ${count} ${WORDS[by][count === 1 ? 0 : 1]}`;
}
