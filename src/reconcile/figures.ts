import { amountOfMinor, formatAmount } from '../domain/amount.ts';
import { auditFiguresJson, auditLineJson } from './audit/shown.ts';
import type { BalanceProof } from './matching/proof.ts';
import type { Reconciliation } from './reconcile.ts';

// The figures of a run as JSON: amounts are decimal text. The same for reports and for what the store keeps.

/** Everything but the lists of items. */
export function figuresJson(result: Reconciliation) {
  const { statements, proof, totals, witnesses, atRisk, reserves } = result;
  return {
    matched: Object.fromEntries(statements?.matched ?? []),
    noStatement: Object.fromEntries(statements?.noStatement ?? []),
    proof: proof.map(proofJson),
    inTransit: (statements?.inTransit ?? []).map((one) => ({ ...one, amount: minorText(one.amount) })),
    audit: auditJson(result),
    totals: totals.map((one) => ({ ...one, total: formatAmount(one.total) })),
    witnesses,
    atRisk: atRisk.map((one) => ({ ...one, amount: formatAmount(one.amount) })),
    reserved: reserves.map((one) => ({ ...one, reserved: formatAmount(one.reserved) })),
  };
}

function proofJson({ rows, unexplained, ...proof }: BalanceProof) {
  return {
    ...proof,
    rows: rows.map(({ name, ours, theirs }) => ({
      name,
      ours: minorText(ours),
      theirs: minorText(theirs),
      difference: minorText(theirs - ours),
    })),
    unexplained: minorText(unexplained),
  };
}

function auditJson({ statements }: Reconciliation) {
  const audit = statements?.audit ?? null;
  return audit === null ? null : { ...auditFiguresJson(audit), lines: audit.lines.map(auditLineJson) };
}

function minorText(minor: bigint): string {
  return formatAmount(amountOfMinor(minor));
}
