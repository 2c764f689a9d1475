import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { ClosedPeriod } from '../../store/periods.ts';

/**
 * The first day of `from` and later that is not closed for every set that closes periods: what is closed need not be reconciled
 * again. `environments` are those with statements; one without a closed period keeps `from`. Pure.
 */
export function firstOpenDay(
  from: string,
  closed: readonly Pick<ClosedPeriod, 'set' | 'environment' | 'from' | 'to'>[],
  environments: readonly string[],
): string {
  const ends = new Map<string, string>();
  for (const { set, to } of closed) if (to > (ends.get(set) ?? '')) ends.set(set, to);
  const isClosing = (environment: string) => closed.some((one) => one.environment === environment);
  if (ends.size === 0 || !environments.every(isClosing)) return from;
  const first = [...ends.values()].map((to) => dayPlus(to, 1)).sort()[0] ?? from;
  return first > from ? first : from;
}
