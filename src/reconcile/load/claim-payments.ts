import { latest } from '../../domain/reconciling/business-day.ts';
import type { ClaimPayment, PaymentLine } from '../../store/exceptions.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Closings } from './closed.ts';

/** A payment that this run sees. */
export interface SeenPayment extends ClaimPayment {
  /** On which our books take the difference over. */
  readonly postsOn: string;
  /** Lines that a closed period has as what they were before they were named. */
  readonly frozen: readonly PaymentLine[];
}

export interface PaymentOrder {
  readonly scratch: Scratch;
  readonly closings: Closings;
  readonly statements: readonly StatementSummary[];
  readonly until: string;
}

/** The payments of which this run sees every line. Late lines stand on the day on which they post by then. */
export function seenPayments(payments: readonly ClaimPayment[], order: PaymentOrder): SeenPayment[] {
  const { scratch, closings, until } = order;
  const shown = new Set(order.statements.map(({ statement }) => statement));
  const days = scratch.paid.days(payments.flatMap(({ lines }) => lines.map(({ lineId }) => lineId)));
  return payments.flatMap((payment) => {
    const { account, environment, lines, isWhole, paidAtMs } = payment;
    const dated = lines.flatMap((line) => {
      const day = days.get(line.lineId);
      return day === undefined || day > until || !shown.has(line.statement) ? [] : [{ line, day }];
    });
    if (account === null || !isWhole || dated.length < lines.length) return [];
    const isClosed = (of: string, day: string) => {
      const closing = closings.ofAccount(environment, of);
      return closing !== null && day <= closing.to && paidAtMs > closing.closedAtMs;
    };
    const day = latest(dated.map((one) => one.day));
    const postsOn = isClosed(account, day) ? (closings.ofAccount(environment, account)?.postsOn ?? day) : day;
    const frozen = dated.filter((one) => isClosed(one.line.account, one.day)).map(({ line }) => line);
    return [{ ...payment, postsOn, frozen }];
  });
}

/** Sets the lines of the payments aside, before anything looks for their records; again after more lines came in. */
export function setAsidePayments(scratch: Scratch, payments: readonly SeenPayment[]): void {
  const lines = payments.flatMap(({ lines, frozen }) => lines.filter((line) => !frozen.includes(line)));
  scratch.paid.setAside(lines.map(({ lineId }) => lineId));
}
