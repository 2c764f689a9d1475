import { money } from '../../domain/money/amount.ts';
import type { Tariff } from '../../domain/money/fee-schedule.ts';
import type { AuditLine, ChargedRow, JudgedPart } from './charge.ts';

/**
 * Returns each figure of a row beside that of its tariff. The tax that is due is that of the scheduled fee, so that a fee too high
 * is claimed with its tax. What the row or the schedule does not say is not judged. Pure.
 */
export function judgedParts({ amount, fee, tax, duty }: ChargedRow, tariff: Tariff): JudgedPart[] {
  const parts: JudgedPart[] = [];
  const dueFee = tariff.feeOn(amount);
  const dueTax = tariff.taxOn(dueFee);
  const dueDuty = tariff.dutyOn(amount);
  if (fee !== null && tax === null && dueTax !== null) {
    parts.push({ part: 'fee with tax', charged: fee, schedule: dueFee + dueTax });
  } else if (fee !== null) parts.push({ part: 'fee', charged: fee, schedule: dueFee });
  if (tax !== null && dueTax !== null) parts.push({ part: 'tax', charged: tax, schedule: dueTax });
  if (duty !== null && dueDuty !== null) parts.push({ part: 'duty', charged: duty, schedule: dueDuty });
  return parts;
}

/** Returns the line of the claim for a row; null when all of its figures are those of the schedule. Pure. */
export function lineOf(row: ChargedRow, parts: readonly JudgedPart[]): AuditLine | null {
  const differing = parts.filter(({ charged, schedule }) => charged !== schedule);
  if (differing.length === 0) return null;
  const charged = parts.reduce((sum, part) => sum + part.charged, 0n);
  const schedule = parts.reduce((sum, part) => sum + part.schedule, 0n);
  const reason = differing.map(reasonOf).join('; ');
  return { row, parts, charged, schedule, difference: charged - schedule, reason };
}

function reasonOf({ part, charged, schedule }: JudgedPart): string {
  return `${part} ${money(charged)}, schedule says ${money(schedule)}`;
}
