import { isOfGroup } from '../../domain/reconciling/codes.ts';
import { counted } from '../../domain/text/quantity-text.ts';
import { type CheckItem, fine, noted, open } from './check-items.ts';
import type { CheckFacts, PeriodOrder } from './facts.ts';

/** Late arrivals are closed by the close itself, so they never keep a period open. */
const isLate = ({ code }: { readonly code: string }) => isOfGroup(code, 'late_items');

/** What the queue says: what is not resolved, what waits for its second person, and what came late. */
export function exceptionItems(
  { set, period }: PeriodOrder,
  { breaks, unresolved }: CheckFacts,
): Record<'exceptions' | 'approvals' | 'lateItems', CheckItem> {
  const needed = unresolved.filter(({ status }) => status === 'resolved');
  const ids = new Set(unresolved.filter((one) => !isLate(one)).map(({ id }) => id));
  for (const one of breaks) if (!one.isResolved && !isLate(one)) ids.add(one.id);
  const late = breaks.filter(isLate).length;
  const listed = `tallyhook exceptions list --environment ${set.environment} --period ${period.name}`;
  return {
    exceptions:
      ids.size === 0
        ? fine('exceptions', breaks.length === 0 ? 'none' : `${counted(breaks.length - late, 'exception')} resolved`)
        : open('exceptions', ids.size, `${counted(ids.size, 'exception')} not resolved`, listed),
    approvals:
      needed.length === 0
        ? fine('approvals', 'none is needed')
        : open(
            'approvals',
            needed.length,
            `${counted(needed.length, 'resolution')} above the limit of its reason code, not approved`,
            `tallyhook exceptions approve ${needed.length === 1 ? needed[0]?.id : 'ID'} --as NAME`,
          ),
    lateItems:
      late === 0
        ? fine('late_items', 'none')
        : noted('late_items', late, `${counted(late, 'item')} of closed periods; closed with this one`),
  };
}
