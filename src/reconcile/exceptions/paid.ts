import type { ClaimPayment, ExceptionArchive } from '../../store/exceptions.ts';
import type { Span } from '../load/order.ts';

/**
 * Ids of claims whose payment is dated by the end of a run. The run closes those that it does not find: of accounts without a
 * balance of their own, such as settlement statements, it looks at no earlier days. A run of one account or leg says nothing of them.
 */
export async function paidClaims(archive: Pick<ExceptionArchive, 'claimPayments'>, { order }: Span): Promise<string[]> {
  const { account, leg, environment, to } = order;
  if (account !== undefined || leg !== undefined) return [];
  const payments = await archive.claimPayments();
  return payments
    .filter((one) => isPaidBy(one, to) && (environment === undefined || one.environment === environment))
    .map(({ id }) => id);
}

/** Whether every line of the payment shows, and is dated by this day. */
export function isPaidBy({ lines, isWhole }: Pick<ClaimPayment, 'lines' | 'isWhole'>, day: string): boolean {
  return isWhole && lines.every(({ date }) => date <= day);
}
