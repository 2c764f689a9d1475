import { formatAmount, money } from '../../domain/money/amount.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { auditFiguresJson, auditLineJson } from '../audit/shown.ts';
import { dayFigures, openFigures, settlementLegs } from '../journal/figures.ts';
import type { CountedDay } from '../judge/match-counts.ts';
import type { Reconciliation } from '../reconcile.ts';
import { itemSums } from './item-sums.ts';

// The figures of a run as JSON: amounts are decimal text. The same for reports and for what the store keeps.

/** What the store keeps of a run, and reports are made of. */
export type Figures = ReturnType<typeof figuresJson>;

/** What the store keeps of a run: what every rendering shows, and what its journal is made of. */
export type KeptFigures = ReturnType<typeof keptFigures>;

export function keptFigures(result: Reconciliation) {
  return {
    ...figuresJson(result),
    days: dayFigures(result.statements?.booked ?? [], result.span.order),
    open: openFigures(result),
    settlementLegs: settlementLegs(result.span.order.rules),
  };
}

/** How rows of ours fared, by day; of the leg that was asked for. */
export function countedDays({ statements, span: { order } }: Reconciliation): readonly CountedDay[] {
  return (statements?.counts.days() ?? []).filter(({ leg }) => order.leg === undefined || leg === order.leg);
}

/** Collected and not yet settled, by age. */
export function inTransitFigures({ statements }: Reconciliation) {
  return (statements?.inTransit ?? []).map((one) => ({ ...one, amount: money(one.amount) }));
}

/** What the service holds for refunds. */
export function reservedFigures({ reserves }: Reconciliation) {
  return reserves.map((one) => ({ ...one, reserved: formatAmount(one.reserved) }));
}

/** Everything but the lists of items. */
export function figuresJson(result: Reconciliation) {
  const { statements, totals, witnesses, atRisk } = result;
  return {
    matched: Object.fromEntries(statements?.matched ?? []),
    noStatement: Object.fromEntries(statements?.noStatement ?? []),
    uncompared: (statements?.uncompared ?? []).map((one) => ({ ...one, moved: money(one.moved) })),
    early: (statements?.early ?? []).map((one) => ({ ...one, moved: money(one.moved) })),
    proof: proofFigures(result),
    inTransit: inTransitFigures(result),
    inTransitByDay: (statements?.inTransitByDay ?? []).map((one) => ({ ...one, amount: money(one.amount) })),
    batchesInTransit: (statements?.batchesInTransit ?? []).map((one) => ({ ...one, amount: money(one.amount) })),
    matches: countedDays(result),
    items: itemSums(result),
    lines: (statements?.moved ?? []).map((one) => ({ ...one, moved: money(one.moved) })),
    files: (statements?.files ?? []).map(fileJson),
    audit: auditJson(result),
    totals: totals.map((one) => ({ ...one, total: formatAmount(one.total) })),
    witnesses,
    atRisk: atRisk.map((one) => ({ ...one, amount: formatAmount(one.amount) })),
    reserved: reservedFigures(result),
  };
}

/** The balance proof of each account and currency. */
export function proofFigures({ proof }: Reconciliation) {
  return proof.map(({ rows, unexplained, ...one }) => ({
    ...one,
    rows: rows.map(({ name, ours, theirs }) => ({
      name,
      ours: money(ours),
      theirs: money(theirs),
      difference: money(theirs - ours),
    })),
    unexplained: money(unexplained),
  }));
}

/** By what the file says and is: never by its number, which depends on the order of imports. */
function fileJson({ account, file, profile, covers, lines, unparsed }: StatementSummary) {
  const { environment, name, kind } = account;
  return {
    ...{ environment, account: name, kind, name: file.name, sha256: file.sha256 },
    ...{ from: covers?.from ?? null, to: covers?.to ?? null, lines, unparsed },
    profile: { name: profile.name, sha256: profile.digest },
  };
}

function auditJson({ statements }: Reconciliation) {
  const audit = statements?.audit ?? null;
  return audit === null ? null : { ...auditFiguresJson(audit), lines: audit.lines.map(auditLineJson) };
}
