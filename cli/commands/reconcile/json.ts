import { type Amount, formatAmount, isAmount, money } from '../../../src/domain/money/amount.ts';
import type { BreakValue, Item } from '../../../src/domain/reconciling/break.ts';
import { cutOffText } from '../../../src/domain/reconciling/business-day.ts';
import { remainingMoney } from '../../../src/domain/records/refund-funding.ts';
import { printableJson } from '../../../src/domain/text/printable.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import { figuresJson } from '../../../src/reconcile/report/figures.ts';
import { legRates } from '../../../src/reconcile/report/match-rate.ts';
import { movesBalance } from '../../../src/reconcile/report/proven.ts';
import { wholeSections } from '../../../src/reconcile/report/whole-sections.ts';
import type { Transaction } from '../../../src/reconcile/witnesses/transactions.ts';
import type { SinceClose } from '../../../src/store/periods.ts';
import { evidenceJson } from '../../show/evidence.ts';
import { breakFacts } from '../../show/kept-break.ts';
import type { Sink } from '../../show/sink.ts';
import { isoTime } from '../../show/text.ts';
import type { Breaks, ListedBreak } from './breaks.ts';

/** A list of the document that is written some rows at a time: as one text, a long one would exceed what a string can hold. */
type Pages = () => AsyncGenerator<readonly unknown[], void, undefined>;

/** Writes the reconciliation as one JSON document; docs/cli.md describes every field. */
export async function writeJson(
  result: Reconciliation,
  breaks: Breaks,
  sink: Sink,
  since: readonly SinceClose[] | null,
): Promise<void> {
  const { order, period, judgedAtMs } = result.span;
  const list =
    (items: readonly Item[]): Pages =>
    () =>
      each(breaks(items), breakJson);
  const figures = figuresJson(result);
  const document: Readonly<Record<string, unknown>> = {
    from: order.from,
    to: order.to,
    asAt: isoTime(period.asAtMs),
    judgedAt: isoTime(judgedAtMs),
    zone: order.dayRule.zone,
    cutOff: cutOffText(order.dayRule.cutOffMinutes),
    environment: order.environment ?? null,
    kinds: order.kinds,
    rules: order.rules.name,
    rulesDigest: order.rules.digest,
    leg: order.leg ?? null,
    account: order.account ?? null,
    matched: figures.matched,
    noStatement: figures.noStatement,
    uncompared: figures.uncompared,
    early: figures.early,
    matchRate: legRates(figures.matches),
    suggested: list(result.suggested),
    unexplained: list(result.unexplained),
    timing: list(result.timing),
    carried: () => carriedRows(result, breaks),
    notConfirmed: list(result.notConfirmed),
    breaks: list(result.breaks),
    proof: figures.proof,
    inTransit: figures.inTransit,
    audit: figures.audit,
    totals: figures.totals,
    witnesses: figures.witnesses,
    atRisk: figures.atRisk,
    reserved: figures.reserved,
    transactions: () => each(pagesOf(result.transactions), transactionJson),
    whole: wholeSections(order),
    unanswered: result.unanswered.map(({ createdAtMs, ...one }) => ({ ...one, createdAt: isoTime(createdAtMs) })),
    ...(since !== null && { sinceClose: since.map(({ atMs, ...one }) => ({ ...one, at: isoTime(atMs) })) }),
  };
  await writeDocument(document, sink);
}

/** What is open from before, each with whether its effect is in a proof. */
async function* carriedRows(result: Reconciliation, breaks: Breaks): ReturnType<Pages> {
  const isProven = movesBalance(result.proof);
  yield* each(breaks(result.carried), (one) => ({ ...breakJson(one), isInProof: isProven(one) }));
  yield* each(breaks(result.inOpening), (one) => ({ ...breakJson(one), isInProof: false }));
}

async function writeDocument(document: Readonly<Record<string, unknown>>, sink: Sink): Promise<void> {
  let before = '{\n';
  for (const [name, value] of Object.entries(document)) {
    await sink.write(`${before}  ${JSON.stringify(name)}: `);
    before = ',\n';
    if (typeof value === 'function') await writePages((value as Pages)(), sink);
    else await sink.write(indented(value, '  '));
  }
  await sink.write('\n}\n');
}

async function writePages(all: ReturnType<Pages>, sink: Sink): Promise<void> {
  let before = '[\n    ';
  let empty = true;
  for await (const rows of all) {
    if (rows.length === 0) continue;
    await sink.write(before + listed(rows));
    before = ',\n    ';
    empty = false;
  }
  await sink.write(empty ? '[]' : '\n  ]');
}

const [HEAD, END] = ['[\n  [\n    ', '\n  ]\n]'];

/** Rows as they stand in a list of the document. Amounts are texts by now: a replacer for bigints would take half of the time of a row. */
function listed(rows: readonly unknown[]): string {
  return printableJson(JSON.stringify([rows], null, 2)).slice(HEAD.length, -END.length);
}

function indented(value: unknown, indent: string): string {
  return printableJson(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${indent}`);
}

async function* each<Row>(
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  json: (row: Row) => unknown,
): ReturnType<Pages> {
  for await (const rows of pages) yield rows.map(json);
}

/** Rows in one text. */
const AT_ONCE = 500;

function* pagesOf<Row>(all: readonly Row[]): Generator<readonly Row[], void, undefined> {
  for (let first = 0; first < all.length; first += AT_ONCE) yield all.slice(first, first + AT_ONCE);
}

export function valueText(value: BreakValue): string | null {
  return isAmount(value) ? formatAmount(value) : value;
}

function amountText(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount);
}

function breakJson(one: ListedBreak) {
  return {
    id: one.id,
    ...breakFacts({
      ...one,
      ours: valueText(one.ours),
      theirs: valueText(one.theirs),
      variance: amountText(one.variance),
      effect: formatAmount(one.effect),
    }),
    firstSeen: one.firstSeen,
    ageDays: one.ageDays,
    amount: amountText(one.amount),
    reason: one.reason,
    nextStep: one.nextStep,
    exception: exceptionJson(one),
    evidence: evidenceJson(one.evidence ?? NO_EVIDENCE),
  };
}

function exceptionJson({ exception }: ListedBreak) {
  if (exception === null) return null;
  const { id, status, resolution } = exception;
  return { id, status, resolution };
}

const NO_EVIDENCE = { events: [], answer: null, webhook: null, service: null };

function transactionJson({ collected, refunded, ...one }: Transaction) {
  return {
    ...one,
    collected: money(collected),
    refunded: money(refunded),
    remaining: money(remainingMoney({ collected, refunded })),
  };
}
