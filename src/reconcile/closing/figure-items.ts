import { addAmounts, formatAmount, parseAmount } from '../../domain/money/amount.ts';
import { isOfGroup } from '../../domain/reconciling/codes.ts';
import { counted } from '../../domain/text/quantity-text.ts';
import type { Report, ReportProof } from '../report/model.ts';
import { type CheckItem, type CheckName, explained, fine, noted, open } from './check-items.ts';
import type { CheckFacts, JudgedBreak } from './facts.ts';
import { listing } from './ordinary-items.ts';

type Judged = 'closingBalance' | 'unparsed' | 'control' | 'unexplained' | 'reserves' | 'suggestions';

/** What the figures of the run and the breaks behind them say. */
export function figureItems({ breaks }: CheckFacts, report: Report | null): Record<Judged, CheckItem> {
  return {
    closingBalance: report === null ? unknown('closing_balance') : closingBalance(report, breaks),
    unparsed: report === null ? unknown('unparsed') : ofGroup('unparsed', breaks, 'row', 'could not be read'),
    control:
      report === null
        ? unknown('control')
        : ofGroup('control', breaks, 'total', 'of a file its lines do not add up to'),
    unexplained: report === null ? unknown('unexplained') : unexplained(report),
    reserves: report === null ? unknown('reserves') : reserves(report, breaks),
    suggestions: report === null ? unknown('suggestions') : suggestions(report),
  };
}

function unknown(name: CheckName): CheckItem {
  return open(name, 0, 'not known without a run of exactly these days', 'Reconcile them first');
}

function closingBalance({ proof }: Report, breaks: readonly JudgedBreak[]): CheckItem {
  const differing = proof.filter((one) => differenceOf(one) !== '0.00');
  if (differing.length === 0) {
    return { ...fine('closing_balance', 'theirs is ours in every account and currency'), count: proof.length };
  }
  const text = differing.map((one) => `${one.account} ${one.currency} ${signed(differenceOf(one))}`).join(', ');
  // What came late is closed by the close itself.
  const isBehind = (one: JudgedBreak) =>
    !isOfGroup(one.code, 'late_items') &&
    one.effect !== '0.00' &&
    differing.some(({ account, currency }) => one.account === account && one.currency === currency);
  if (breaks.some((one) => isBehind(one) && !one.isResolved)) {
    return open('closing_balance', differing.length, `theirs less ours: ${text}`, 'tallyhook exceptions list');
  }
  return explained('closing_balance', differing.length, `theirs less ours: ${text}, all of it explained`);
}

function differenceOf({ rows }: ReportProof): string {
  return rows.find(({ name }) => name === 'closing')?.difference ?? '0.00';
}

function signed(amount: string): string {
  return amount.startsWith('-') ? amount : `+${amount}`;
}

function ofGroup(
  name: 'unparsed' | 'control' | 'reserves',
  breaks: readonly JudgedBreak[],
  what: string,
  wrong: string,
): CheckItem {
  const own = breaks.filter(({ code }) => isOfGroup(code, name));
  if (own.length === 0) return fine(name, 'none');
  const unresolved = own.filter(({ isResolved }) => !isResolved).length;
  if (unresolved === 0) return explained(name, own.length, `${counted(own.length, what)} ${wrong}, resolved`);
  return open(name, unresolved, `${counted(unresolved, what)} ${wrong}`, listing(own));
}

/** A group that the program judged wrongly is open in an account without a balance, too, which has no proof. */
function unexplained({ proof, waiting }: Report): CheckItem {
  const groups = waiting.filter(({ list }) => list === 'unexplained');
  const isOfProof = (one: ReportProof) =>
    groups.some(({ environment, account, currency }) => {
      return one.environment === environment && one.account === account && one.currency === currency;
    });
  const left = [
    ...proof.filter((one) => one.unexplained !== '0.00' && !isOfProof(one)),
    ...groups.map(({ account, currency, effect }) => ({ account, currency, unexplained: effect })),
  ];
  if (left.length === 0) return fine('unexplained', '0.00 in every account and currency');
  const text = left.map((one) => `${one.account} ${one.currency} ${signed(one.unexplained)}`).join(', ');
  return open('unexplained', left.length, text, 'Look at the proof: tallyhook reconcile');
}

function reserves({ reserved }: Report, breaks: readonly JudgedBreak[]): CheckItem {
  const wrong = ofGroup('reserves', breaks, 'refund', 'whose reserve does not add up');
  if (wrong.state === 'open' || wrong.state === 'explained') return wrong;
  const refunds = reserved.reduce((sum, one) => sum + one.refunds, 0);
  if (refunds === 0) return fine('reserves', 'nothing is reserved');
  const byCurrency = new Map<string, string>();
  for (const { currency, reserved: amount } of reserved) {
    const before = parseAmount(byCurrency.get(currency ?? '') ?? '0.00');
    byCurrency.set(currency ?? '', formatAmount(addAmounts(before, parseAmount(amount))));
  }
  const sums = [...byCurrency].map(([currency, amount]) => `${currency} ${amount}`.trim()).join(', ');
  return noted('reserves', refunds, `${sums} for ${counted(refunds, 'refund')} rolls into the next period`);
}

function suggestions({ waiting, carried }: Report): CheckItem {
  const count = (list: string) => waiting.reduce((sum, one) => sum + (one.list === list ? one.count : 0), 0);
  const fromBefore = carried.items.filter(({ code }) => code === 'suggested').length;
  const [suggested, timing] = [count('suggested') + fromBefore, count('timing')];
  if (suggested + timing === 0) return fine('suggestions', 'none');
  const parts = [
    ...(suggested === 0 ? [] : [counted(suggested, 'suggestion')]),
    ...(timing === 0 ? [] : [`${counted(timing, 'item')} not due yet`]),
  ];
  const text = `${parts.join(' and ')} ${suggested + timing === 1 ? 'is' : 'are'} carried`;
  const next = suggested === 0 ? null : 'tallyhook matches list --state suggested';
  return noted('suggestions', suggested + timing, text, next);
}
