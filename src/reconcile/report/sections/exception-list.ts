import { dayCell, valueCell, wholeCell } from '../../sheet/cells.ts';
import { isZero } from '../decimal.ts';
import type { Report, ReportedException } from '../model.ts';
import { movesBalance } from '../proven.ts';
import { amount, currency, EFFECT_OUTSIDE, environment, name, type Section, section, text } from './section.ts';

/** Every exception behind the sums, a row each; ids, references and words are texts. */
export function exceptionList(
  rows: readonly ReportedException[],
  { environment: only, proof }: Pick<Report, 'environment' | 'proof'>,
): Section {
  const isInProof = movesBalance(proof);
  const isOutside = (row: ReportedException) => !isInProof(row) && !isZero(row.effect);
  const values = (header: string, value: (row: ReportedException) => string | null) => {
    return { header, width: 18, cell: (row: ReportedException) => valueCell(value(row)) };
  };
  const days = (header: string, value: (row: ReportedException) => string | null) => {
    return { header, width: 12, cell: (row: ReportedException) => dayCell(value(row)) };
  };
  return section({ name: 'Exceptions', title: 'Exceptions' }, rows, [
    name('Id', 30, ({ id }) => id),
    ...environment<ReportedException>(only),
    text('Account', 20, ({ account }) => account),
    currency(),
    text('Code', 22, ({ code, sub }) => (sub === null ? code : `${code}/${sub}`)),
    text('What', 52, ({ what }) => what),
    text('Side', 8, ({ side }) => side),
    text('Leg', 20, ({ leg }) => leg),
    text('Reference', 30, ({ reference }) => reference),
    days('Date', ({ date }) => date),
    values('Ours', ({ ours }) => ours),
    values('Theirs', ({ theirs }) => theirs),
    amount('Variance', ({ variance }) => variance),
    amount('Effect', (row) => (isOutside(row) ? null : row.effect)),
    ...(rows.some(isOutside)
      ? [amount<ReportedException>(EFFECT_OUTSIDE, (row) => (isOutside(row) ? row.effect : null))]
      : []),
    { header: 'Age in days', width: 13, cell: ({ ageDays }) => wholeCell(ageDays) },
    text('Next step', 52, ({ nextStep }) => nextStep),
    text('Same as', 30, ({ sameAs }) => sameAs),
    text('Status', 10, ({ status, needsApproval }) => (needsApproval ? `${status}, to be approved` : status)),
    text('Resolution', 12, ({ resolution }) => resolution),
    text('Reason code', 18, ({ reasonCode }) => reasonCode),
    text('Assignee', 18, ({ assignee }) => assignee),
    text('Comment', 40, ({ comment }) => comment),
    days('Follow-up', ({ followUp }) => followUp),
  ]);
}
