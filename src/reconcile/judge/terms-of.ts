import type { OurRow } from '../../domain/matching/rows.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import { feeSchedule } from '../../domain/money/fee-schedule.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import { dueDays, termOf } from '../../domain/reconciling/due-day.ts';
import { isRecordKind } from '../../domain/records/lifecycle.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { Span } from '../load/order.ts';
import { type Sides, termsOfLeg } from '../load/sides.ts';
import type { Window } from '../load/window.ts';

/** Returns what holds for the sides of a leg, up to a day. Remembers what it has computed. */
export function termsOf(
  span: Span,
  window: Window,
  scratch: Pick<Scratch, 'saysTax'>,
): (sides: Sides, until: string) => Terms {
  const { rules } = span.order;
  const due = dueDays({ days: span.days, holidays: rules.holidays });
  const tariff = feeSchedule(rules.schedule);
  const known = new Map<string, Terms>();
  return (sides, until) => {
    const key = `${sides.number} ${sides.environment} ${sides.currency} ${until}`;
    const made = known.get(key);
    if (made !== undefined) return made;
    const { leg, currency } = sides;
    const tariffOf = ({ kind, channel, day }: OurRow) =>
      isRecordKind(kind) ? tariff({ kind, channel, currency, day }) : null;
    const saysTax = rules.schedule.length > 0 && scratch.saysTax(sides);
    const terms: Terms = {
      ...termsOfLeg(leg),
      until,
      shownFrom: (account) => sides.shownFrom.get(account ?? '') ?? sides.days[0] ?? '',
      judgedDay: judgedDay(span, sides.shownTo ?? window.until),
      dueDay: ({ day, status }) => due(day, termOf(leg, status)),
      dueAfter: (day) => due(day, leg.due.default),
      taxOn: (row, fee) => tariffOf(row)?.taxOn(fee) ?? null,
      taxWithin: (row) => {
        const { fees, amount } = row;
        if (!saysTax || fees === null || amount === null) return 0n;
        return tariffOf(row)?.taxInside(fees, amount) ?? 0n;
      },
    };
    known.set(key, terms);
    return terms;
  };
}

/** The last day that is over, known and shown: what was due by then is late. */
function judgedDay({ days, judgedAtMs, order }: Span, lastShown: string): string {
  const today = days.dayOf(judgedAtMs + 1);
  const over = dayPlus(today, -1);
  return [over, order.to, lastShown].reduce((one, other) => (other < one ? other : one));
}
