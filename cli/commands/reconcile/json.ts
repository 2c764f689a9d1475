import { type Amount, formatAmount, isAmount } from '../../../src/domain/amount.ts';
import type { BreakValue } from '../../../src/domain/break.ts';
import { remainingMoney } from '../../../src/domain/refund-funding.ts';
import { figuresJson } from '../../../src/reconcile/figures.ts';
import type { Item } from '../../../src/reconcile/item.ts';
import type { ReconBreak } from '../../../src/reconcile/recon-break.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import type { Transaction } from '../../../src/reconcile/transactions.ts';
import { evidenceJson } from '../../show/evidence.ts';
import { money } from '../../show/money.ts';
import { jsonText } from '../../show/output.ts';
import type { Sink } from '../../show/sink.ts';
import { isoTime } from '../../show/text.ts';
import type { Breaks } from './breaks.ts';

/** A list of the document that is written row by row: as one text, a long one would exceed what a string can hold. */
type Rows = () => AsyncGenerator<unknown, void, undefined>;

/** Writes the reconciliation as one JSON document; docs/cli.md describes every field. */
export async function writeJson(result: Reconciliation, breaks: Breaks, sink: Sink): Promise<void> {
  const { order, period, judgedAtMs } = result.span;
  const list =
    (items: readonly Item[]): Rows =>
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
    suggested: list(result.suggested),
    timing: list(result.timing),
    carried: list(result.carried),
    notConfirmed: list(result.notConfirmed),
    breaks: list(result.breaks),
    proof: figures.proof,
    inTransit: figures.inTransit,
    audit: figures.audit,
    totals: figures.totals,
    witnesses: figures.witnesses,
    atRisk: figures.atRisk,
    reserved: figures.reserved,
    transactions: () => rows(result.transactions, transactionJson),
    unanswered: result.unanswered.map(({ createdAtMs, ...one }) => ({ ...one, createdAt: isoTime(createdAtMs) })),
  };
  await writeDocument(document, sink);
}

export function cutOffText(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

async function writeDocument(document: Readonly<Record<string, unknown>>, sink: Sink): Promise<void> {
  let before = '{\n';
  for (const [name, value] of Object.entries(document)) {
    await sink.write(`${before}  ${JSON.stringify(name)}: `);
    before = ',\n';
    if (typeof value === 'function') await writeRows((value as Rows)(), sink);
    else await sink.write(indented(value, '  '));
  }
  await sink.write('\n}\n');
}

async function writeRows(all: AsyncGenerator<unknown, void, undefined>, sink: Sink): Promise<void> {
  let before = '[\n    ';
  let empty = true;
  for await (const row of all) {
    await sink.write(before + indented(row, '    '));
    before = ',\n    ';
    empty = false;
  }
  await sink.write(empty ? '[]' : '\n  ]');
}

function indented(value: unknown, indent: string): string {
  return jsonText(value, 2).replaceAll('\n', `\n${indent}`);
}

async function* each<Row>(
  batches: AsyncGenerator<readonly Row[], void, undefined>,
  json: (row: Row) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  for await (const batch of batches) for (const row of batch) yield json(row);
}

async function* rows<Row>(all: readonly Row[], json: (row: Row) => unknown): AsyncGenerator<unknown, void, undefined> {
  for (const row of all) yield json(row);
}

export function valueText(value: BreakValue): string | null {
  return isAmount(value) ? formatAmount(value) : value;
}

function amountText(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount);
}

function breakJson(one: ReconBreak) {
  return {
    id: one.id,
    code: one.code,
    sub: one.sub,
    leg: one.leg,
    side: one.side,
    kind: one.kind,
    environment: one.environment,
    account: one.account,
    reference: one.reference,
    field: one.field,
    currency: one.currency,
    ours: valueText(one.ours),
    theirs: valueText(one.theirs),
    variance: amountText(one.variance),
    effect: formatAmount(one.effect),
    line: one.line === null ? null : { statement: one.line.statement, row: one.line.row },
    candidates: one.candidates,
    firstSeen: one.firstSeen,
    ageDays: one.ageDays,
    amount: amountText(one.amount),
    reason: one.reason,
    nextStep: one.nextStep,
    evidence: evidenceJson(one.evidence ?? NO_EVIDENCE),
  };
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
