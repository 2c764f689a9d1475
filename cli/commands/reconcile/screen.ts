import { formatAmount, magnitude } from '../../../src/domain/money/amount.ts';
import { cutOffText } from '../../../src/domain/reconciling/business-day.ts';
import { type Uncompared, whyUncompared } from '../../../src/reconcile/judge/uncompared.ts';
import type { ReconcileOrder } from '../../../src/reconcile/load/order.ts';
import type { BalanceProof } from '../../../src/reconcile/period/proof.ts';
import { breakOf } from '../../../src/reconcile/recon-break.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import { countedDays } from '../../../src/reconcile/report/figures.ts';
import { legRates } from '../../../src/reconcile/report/match-rate.ts';
import { type WholeSection, wholeSections } from '../../../src/reconcile/report/whole-sections.ts';
import { money } from '../../show/money.ts';
import { type Column, layTable } from '../../show/table.ts';
import { localTime } from '../../show/text.ts';
import {
  BREAK_COLUMNS,
  CLAIM_COLUMNS,
  EARLY_COLUMNS,
  LEG_COLUMNS,
  PROOF_COLUMNS,
  RESERVE_COLUMNS,
  TOTAL_COLUMNS,
  TRANSACTION_COLUMNS,
  TRANSIT_COLUMNS,
  transactionSums,
  UNANSWERED_COLUMNS,
  WITNESS_COLUMNS,
} from './columns.ts';

interface Page {
  /** Columns of the terminal. */
  readonly room: number;
  readonly styled: (heading: string) => string;
  /** Breaks that a person resolved. */
  readonly resolved: number;
}

/** Breaks on the screen; the others are in the other formats. */
const MOST_BREAKS = 50;
const MOST_REQUESTS = 20;

/** The reconciliation for a person: what agrees, the funding of refunds, then what does not agree. */
export function screenLines(result: Reconciliation, page: Page): string[] {
  const { span, breaks, timing, notConfirmed, reserves, transactions, unanswered } = result;
  const { order, period, judgedDay } = span;
  const { zone, cutOffMinutes } = order.dayRule;
  const cutOff = cutOffMinutes === 1_440 ? '' : `, days end at ${cutOffText(cutOffMinutes)}`;
  const sections = [
    [
      page.styled(`Reconciliation of ${order.from} to ${order.to}`),
      `as at ${localTime(zone)(period.asAtMs)}, ${zone}${cutOff}`,
    ],
    section('Webhooks against the service', result.witnesses, WITNESS_COLUMNS, page),
    section('Totals', result.totals, TOTAL_COLUMNS, page),
    section(`Reserved for refunds at the end of ${judgedDay}`, reserves, RESERVE_COLUMNS, page),
    section('Transactions with refunds', transactionSums(transactions), TRANSACTION_COLUMNS, page),
    section('Matched with statements', legRates(countedDays(result)), LEG_COLUMNS, page),
    ...result.proof.map((proof) =>
      section(proofTitle(proof, order), shownRows(proof), PROOF_COLUMNS, page, unexplainedText(proof)),
    ),
    section(
      'Unexplained',
      result.unexplained.slice(0, MOST_BREAKS).map((item) => breakOf(item, judgedDay, null)),
      BREAK_COLUMNS,
      page,
    ),
    section('Counted in the period of their line', result.statements?.early ?? [], EARLY_COLUMNS, page),
    section('Collected and not yet settled', result.statements?.inTransit ?? [], TRANSIT_COLUMNS, page),
    section('Charged otherwise than the schedule says', result.statements?.audit?.sums ?? [], CLAIM_COLUMNS, page),
    section('Requests without an answer', unanswered.slice(0, MOST_REQUESTS), UNANSWERED_COLUMNS(zone), page),
    section(
      'Breaks',
      breaks.slice(0, MOST_BREAKS).map((item) => breakOf(item, judgedDay, null)),
      BREAK_COLUMNS,
      page,
    ),
    section(
      'To confirm',
      result.suggested.slice(0, MOST_BREAKS).map((item) => breakOf(item, judgedDay, null)),
      BREAK_COLUMNS,
      page,
    ),
    [
      ...(breaks.length > MOST_BREAKS
        ? [`${MOST_BREAKS} of ${breaks.length} breaks shown; --format csv or --json has all`]
        : []),
      ...(unanswered.length > MOST_REQUESTS
        ? [`${MOST_REQUESTS} of ${unanswered.length} requests shown; --json has all`]
        : []),
      `${counted(breaks.length, 'break')}${page.resolved === 0 ? '' : ` (${page.resolved} resolved)`}${riskText(result)}; ${timing.length} not due yet;${carriedText(result)} ${notConfirmed.length} not confirmed: no endpoint.`,
      ...(result.statements?.uncompared ?? []).map(uncomparedText),
      ...wholeText(order),
      ...nextSteps(result),
    ],
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** A period may look clean because nothing was there to hold it against. */
function uncomparedText(one: Uncompared): string {
  const { environment, account, currency, type, lacks, lines, moved } = one;
  const what = `${counted(lines, `${type.replace('_', '-')} line`)} of ${account} (${environment})`;
  const verb = lines === 1 ? 'was' : 'were';
  return `${what}, ${money(magnitude(moved))} ${currency} in all, ${verb} compared with nothing: ${whyUncompared(one)}.${lacks === null ? '' : ' Import one: tallyhook statements import FILE --profile PROFILE'}`;
}

/** Which sections hold more than what was asked for. */
function wholeText(order: ReconcileOrder): string[] {
  const whole = wholeSections(order).flatMap((name) => SECTION_NAMES[name] ?? []);
  if (whole.length === 0) return [];
  return [`Of everything, and not of what was asked for alone: ${[...new Set(whole)].join(', ')}.`];
}

const SECTION_NAMES: Readonly<Partial<Record<WholeSection, string>>> = {
  witnesses: 'webhooks against the service',
  totals: 'totals',
  reserved: 'reserved for refunds',
  transactions: 'transactions with refunds',
  matched: 'matched with statements',
  inTransit: 'collected and not yet settled',
  audit: 'charges against the schedule',
  unanswered: 'requests without an answer',
};

/** What to do about the first break of each sort. */
function nextSteps({ breaks, suggested, span }: Reconciliation): string[] {
  const first = new Map<string, string>();
  for (const item of breaks.slice(0, MOST_BREAKS)) {
    const { code, sub } = item.facts;
    const name = sub === null ? code : `${code}/${sub}`;
    if (!first.has(name)) first.set(name, `${name}: ${breakOf(item, span.judgedDay, null).nextStep}`);
  }
  if (suggested.length > 0) first.set('suggested', 'To confirm: tallyhook matches list --state suggested');
  return [...first.values()];
}

function section<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  page: Page,
  after: readonly string[] = [],
): string[] {
  if (rows.length === 0) return [];
  const { lines } = layTable(rows, columns, page);
  return [page.styled(title), ...lines, ...after];
}

/** Which days it covers, where they are not those of the report. */
function proofTitle(proof: BalanceProof, { from, to }: ReconcileOrder): string {
  const { account, environment, currency, isBalanceStated, covers } = proof;
  const days = covers.from === from && covers.to === to ? '' : `; statements cover ${covers.from} to ${covers.to}`;
  const without = isBalanceStated ? '' : '; no statement gives a balance, so both begin at 0.00';
  return `Balance of ${account}, ${currency} (${environment}${days}${without})`;
}

/** Rows in which nothing moved are left out. */
function shownRows({ rows }: BalanceProof) {
  return rows.filter(
    ({ name, ours, theirs }) => name === 'opening' || name === 'closing' || ours !== 0n || theirs !== 0n,
  );
}

function unexplainedText({ unexplained }: BalanceProof): string[] {
  const end =
    unexplained === 0n ? ': the differences are those of the breaks, of what is not due, and of suggestions' : '';
  return [`Unexplained ${money(unexplained)}${end}.`];
}

function carriedText({ carried, suggested }: Reconciliation): string {
  const parts = [
    ...(carried.length > 0 ? [` ${carried.length} open from before;`] : []),
    ...(suggested.length > 0 ? [` ${suggested.length} to confirm;`] : []),
  ];
  return parts.join('');
}

function counted(count: number, what: string): string {
  return count === 0 ? `No ${what}s` : `${count} ${what}${count === 1 ? '' : 's'}`;
}

function riskText({ atRisk }: Reconciliation): string {
  if (atRisk.length === 0) return '';
  const sums = atRisk.map(
    ({ environment, currency, amount }) =>
      `${formatAmount(amount)} ${currency ?? 'without a currency'} in ${environment}`,
  );
  return `, about ${sums.join(', ')}`;
}
