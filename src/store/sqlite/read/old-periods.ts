/*
 * SQL about what prune may erase: periods that are closed and whose last day is before `@beforeDay`, and exceptions that need
 * no further act.
 */

export const OLD_PERIODS = `periods p JOIN period_closings c ON c.period_id = p.id AND c.closing = p.closing
  AND p.state <> 'open' AND p.to_day < @beforeDay`;

/** The period holds this account. */
export function holdsAccount(name: string, period = 'p'): string {
  return `(${period}.accounts IS NULL OR ${name} IN (SELECT value FROM json_each(${period}.accounts)))`;
}

/** A day of an account that lies in such a period; what stands in no account lies in every period of its environment. */
export function isOld({ environment, account, date }: Record<'environment' | 'account' | 'date', string>): string {
  return `EXISTS (SELECT 1 FROM ${OLD_PERIODS} WHERE p.environment = ${environment}
    AND (${account} IS NULL OR ${holdsAccount(account)}) AND ${date} BETWEEN p.from_day AND p.to_day)`;
}

/** Exception `x` with its resolution `r`: it is open, claimed, carried on or waits for an approval. */
export const IS_UNFINISHED = `(x.status NOT IN ('resolved', 'closed') OR x.status = 'resolved'
  AND (coalesce(r.resolution, '') IN ('claim', 'carry') OR coalesce(r.approval, '') = 'needed'))`;
