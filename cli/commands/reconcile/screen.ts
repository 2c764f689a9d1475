import { formatAmount, magnitude, money } from '../../../src/domain/money/amount.ts';
import type { Item } from '../../../src/domain/reconciling/break.ts';
import { cutOffText } from '../../../src/domain/reconciling/business-day.ts';
import { type Uncompared, whyUncompared } from '../../../src/reconcile/judge/uncompared.ts';
import type { ReconcileOrder } from '../../../src/reconcile/load/order.ts';
import { breakOf } from '../../../src/reconcile/recon-break.ts';
import { fromBefore, type Reconciliation, toConfirm } from '../../../src/reconcile/reconcile.ts';
import { countedDays, inTransitFigures, proofFigures, reservedFigures } from '../../../src/reconcile/report/figures.ts';
import { legRates } from '../../../src/reconcile/report/match-rate.ts';
import type { Table } from '../../../src/reconcile/report/table.ts';
import { matchRate } from '../../../src/reconcile/report/tables/matches.ts';
import { inTransit, reserved } from '../../../src/reconcile/report/tables/money.ts';
import { type WholeSection, wholeSections } from '../../../src/reconcile/report/whole-sections.ts';
import { breakName } from '../../../src/reconcile/report/words.ts';
import { movedRows, PROOF_COLUMNS } from '../../show/proof.ts';
import { tableLines } from '../../show/report-table.ts';
import { type Column, layTable } from '../../show/table.ts';
import { localTime } from '../../show/text.ts';
import {
  BREAK_COLUMNS,
  CLAIM_COLUMNS,
  EARLY_COLUMNS,
  TOTAL_COLUMNS,
  TRANSACTION_COLUMNS,
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
  const { span, breaks, transactions, unanswered } = result;
  const { order, period, judgedDay } = span;
  const { environment = null } = order;
  const { zone, cutOffMinutes } = order.dayRule;
  const cutOff = cutOffMinutes === 1_440 ? '' : `, days end at ${cutOffText(cutOffMinutes)}`;
  const sections = [
    [
      page.styled(`Reconciliation of ${order.from} to ${order.to}`),
      `as at ${localTime(zone)(period.asAtMs)}, ${zone}${cutOff}`,
    ],
    section('Webhooks against the service', result.witnesses, WITNESS_COLUMNS, page),
    section('Totals', result.totals, TOTAL_COLUMNS, page),
    reported(reserved({ reserved: reservedFigures(result), environment, to: judgedDay }), page),
    section('Transactions with refunds', transactionSums(transactions), TRANSACTION_COLUMNS, page),
    reported(matchRate({ matchRate: { legs: legRates(countedDays(result)), byDay: [] }, environment }), page),
    ...proofFigures(result).map((proof) =>
      section(proofTitle(proof, order), movedRows(proof.rows), PROOF_COLUMNS, page, unexplainedText(proof)),
    ),
    itemSection('Unexplained', result.unexplained, judgedDay, page),
    section('Counted in the period of their line', result.statements?.early ?? [], EARLY_COLUMNS, page),
    reported(inTransit({ inTransit: { byAge: inTransitFigures(result), byDay: [], batches: [] }, environment }), page),
    section('Charged otherwise than the schedule says', result.statements?.audit?.sums ?? [], CLAIM_COLUMNS, page),
    section('Requests without an answer', unanswered.slice(0, MOST_REQUESTS), UNANSWERED_COLUMNS(zone), page),
    itemSection('Breaks', breaks, judgedDay, page),
    itemSection('Open from before', breaksIn(result.carried), judgedDay, page),
    itemSection(
      "Open from before, on both sides of the statement's opening balance: in no proof",
      breaksIn(result.inOpening),
      judgedDay,
      page,
    ),
    itemSection('To confirm', toConfirm(result), judgedDay, page),
    [
      ...(breaks.length > MOST_BREAKS
        ? [`${MOST_BREAKS} of ${breaks.length} breaks shown; --format csv or --json has all`]
        : []),
      ...(openBefore(result).length > MOST_BREAKS
        ? [`${MOST_BREAKS} of ${openBefore(result).length} open from before shown; --format csv or --json has all`]
        : []),
      ...(unanswered.length > MOST_REQUESTS
        ? [`${MOST_REQUESTS} of ${unanswered.length} requests shown; --json has all`]
        : []),
      `${counted(breaks.length, 'break')}${page.resolved === 0 ? '' : ` (${page.resolved} resolved)`}${riskText(result)}${othersText(result)}.`,
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
  matched: 'match rate',
  inTransit: 'collected and not yet settled',
  audit: 'charges against the schedule',
  unanswered: 'requests without an answer',
};

/** What to do about the first break of each sort. */
function nextSteps(result: Reconciliation): string[] {
  const { breaks, span } = result;
  const first = new Map<string, string>();
  for (const item of [...breaks.slice(0, MOST_BREAKS), ...openBefore(result).slice(0, MOST_BREAKS)]) {
    const name = breakName(item.facts);
    if (!first.has(name)) first.set(name, `${name}: ${breakOf(item, span.judgedDay, null).nextStep}`);
  }
  if (toConfirm(result).length > 0) first.set('suggested', 'To confirm: tallyhook matches list --state suggested');
  return [...first.values()];
}

/** A table that reports have, too. */
function reported<Row>(table: Table<Row>, page: Page): readonly string[] {
  return table.rows.length === 0 ? [] : tableLines(table, page);
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

function itemSection(title: string, items: readonly Item[], judgedDay: string, page: Page): string[] {
  const shown = items.slice(0, MOST_BREAKS).map((item) => breakOf(item, judgedDay, null));
  return section(title, shown, BREAK_COLUMNS, page);
}

/** Breaks of days before the period. */
function openBefore(result: Reconciliation): readonly Item[] {
  return breaksIn(fromBefore(result));
}

/** What is to be confirmed stands by itself. */
function breaksIn(items: readonly Item[]): readonly Item[] {
  return items.filter(({ facts }) => facts.code !== 'suggested');
}

type Proof = ReturnType<typeof proofFigures>[number];

/** Which days it covers, where they are not those of the report. */
function proofTitle(proof: Proof, { from, to }: ReconcileOrder): string {
  const { account, environment, currency, isBalanceStated, covers } = proof;
  const days = covers.from === from && covers.to === to ? '' : `; statements cover ${covers.from} to ${covers.to}`;
  const without = isBalanceStated ? '' : '; no statement gives a balance, so both begin at 0.00';
  return `Balance of ${account}, ${currency} (${environment}${days}${without})`;
}

function unexplainedText({ unexplained }: Proof): string[] {
  const reasons = 'breaks, what is not due, what is open from before, and suggestions';
  return [`Unexplained ${unexplained}${unexplained === '0.00' ? `: ${reasons} are every difference` : ''}.`];
}

/** What is there beside the breaks. */
function othersText(result: Reconciliation): string {
  const { timing, notConfirmed } = result;
  const parts = [
    [timing, 'not due yet'],
    [openBefore(result), 'open from before'],
    [toConfirm(result), 'to confirm'],
    [notConfirmed, 'not confirmed, for want of an endpoint (see: tallyhook doctor)'],
  ] as const;
  return parts.flatMap(([{ length }, text]) => (length === 0 ? [] : [`; ${length} ${text}`])).join('');
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
