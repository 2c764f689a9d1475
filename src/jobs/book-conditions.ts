import type { Condition } from '../domain/alerts/alert.ts';
import { type AlertFactsNow, condition } from './alert-facts.ts';

/** What of the books is worth an alert. */
export function ofBooks({ books }: Pick<AlertFactsNow, 'books'>): Condition[] {
  const { unexplained, missing, overdue, late } = books;
  return [
    // Without the amount: notices leave this machine.
    ...unexplained.map(({ environment, account, currency, from, to }) =>
      condition('unexplained', `${environment} ${account} ${currency}`, 1, {
        environment,
        account,
        currency,
        from,
        to,
      }),
    ),
    ...missing.map(({ environment, account, until, days }) =>
      condition('no_statement', `${environment} ${account}`, 1, { environment, account, until, days }),
    ),
    ...(overdue ?? []).map(({ environment, exceptions }) =>
      condition('exceptions_overdue', environment, exceptions, { environment, exceptions }),
    ),
    ...late.map(({ set, period, to, dueDay }) =>
      condition('period_not_closed', `${set} ${period}`, 1, { set, period, to, dueDay }),
    ),
  ];
}
