import { isZero } from '../decimal.ts';
import type { Report, ReportExplained, ReportProof } from '../model.ts';
import { accountAnchor, carriedAnchor } from './anchors.ts';
import { type Block, cell, figure, head, placeName, row, type Section } from './blocks.ts';
import { type Step, waterfall } from './charts/waterfall.ts';
import { counted, grouped, signed, worded } from './text.ts';

/** Of each account and currency: opening and movements make the closing balance, and what is left is explained. */
export function balances({ proof, environment }: Report): Section {
  return {
    id: 'balances',
    title: 'Balance proof',
    lead:
      'Opening balance and movements make the closing balance, by our records and by the statement. What differs is made of ' +
      'the exceptions and the items below it; what is left is unexplained and must be 0.00.',
    blocks: proof.map((one, at) => proofBlock(one, { id: `balance-${at + 1}`, name: placeName(one, environment) })),
    nothing: 'No statement covers these days, so there is no balance to prove.',
  };
}

function proofBlock(proof: ReportProof, { id, name }: { readonly id: string; readonly name: string }): Block {
  const { rows, explained, unexplained } = proof;
  const isShown = ({ name, ours, theirs }: (typeof rows)[number]) => isEnd(name) || !isZero(ours) || !isZero(theirs);
  const left = rows.filter((one) => !isShown(one)).map((one) => worded(one.name).toLowerCase());
  const notes = [
    ...(proof.isBalanceStated ? [] : ['No statement states a balance: both sides begin at 0.00.']),
    ...(left.length === 0 ? [] : [`0.00 on both sides: ${left.join(', ')}.`]),
  ];
  return {
    id,
    title: name,
    chart: waterfall(`${id}-chart`, `${name}: from the opening balance to the closing one`, stepsOf(proof)),
    table: {
      caption: `Balance of ${name}`,
      columns: [head('Row'), figure('By us'), figure('By the statement'), figure('Difference')],
      rows: rows
        .filter(isShown)
        .map((one) => row(worded(one.name), grouped(one.ours), grouped(one.theirs), differing(one.difference))),
      totals: [
        ...explained.map((one) => row(explanation(one, proof), '', '', signed(one.effect))),
        row('Unexplained', '', '', cell(grouped(unexplained), { mark: isZero(unexplained) ? 'good' : 'bad' })),
      ],
    },
    note: notes.join(' '),
  };
}

function differing(difference: string) {
  return isZero(difference) ? grouped(difference) : cell(signed(difference), { mark: 'bad' });
}

const EXPLAINED: Readonly<Record<ReportExplained['by'], string>> = {
  exceptions: 'Exceptions',
  timing: 'Not due yet',
  suggested: 'Suggested matches',
  carried: 'Carried from before',
};

/** The exceptions of an account, and what is from before, are on this page: their sums lead to them. */
function explanation({ by, count }: ReportExplained, proof: ReportProof) {
  const to = {
    exceptions: accountAnchor(proof),
    carried: carriedAnchor(proof),
    timing: undefined,
    suggested: undefined,
  }[by];
  return cell(`${EXPLAINED[by]} (${counted(count)})`, { to });
}

function stepsOf({ rows, explained, unexplained }: ReportProof): Step[] {
  const steps: Step[] = [];
  for (const { name, ours } of rows) {
    if (isEnd(name))
      steps.push({ name: name === 'opening' ? 'Opening' : 'Closing by us', amount: ours, as: 'balance' });
    else if (!isZero(ours)) steps.push({ name: worded(name), amount: ours, as: 'movement' });
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
