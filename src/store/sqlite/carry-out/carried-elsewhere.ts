import type { CarriedOut, KeptAs } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';
import type { Carried } from './carry-out.ts';

type Kept = Record<KeptAs, number>;

/**
 * What other processes carry out of the log: another `serve`, or a command. They tell this one nothing, so it is read from the books: what
 * they count more than this process carried out since the last look, and what is set aside of the entries between.
 */
export function carriedElsewhere(books: Database) {
  const carriedOut = books.prepare<[], number>('SELECT seq FROM carried_out').pluck();
  const totals = books.prepare<[], { deliveries: number; new: number; variant: number }>(`
    SELECT coalesce(sum(deliveries), 0) AS deliveries, coalesce(sum(events), 0) AS new,
      (SELECT count(*) FROM variants) AS variant
    FROM arrivals`);
  const asideBetween = books
    .prepare<[number, number], string>('SELECT reason FROM aside WHERE seq > ? AND seq <= ? ORDER BY id')
    .pluck();

  function keptInBooks(): Kept {
    const { deliveries, ...kept } = totals.get() as { deliveries: number; new: number; variant: number };
    return { ...kept, duplicate: deliveries - kept.new - kept.variant };
  }

  // The number of the entry before the counts: what is carried out in between is counted, and never missed.
  let seen = carriedOut.get() ?? 0;
  let counted = keptInBooks();

  return {
    /** `own`: the last transaction of this process, null without one. Returns null when no other process carried out anything. */
    since(own: Carried | null): CarriedOut | null {
      const until = own === null ? (carriedOut.get() ?? 0) : own.after;
      const [from, others] = [seen, until !== seen];
      seen = own === null ? until : own.seq;
      if (own !== null) counted = sum(counted, own.kept, 1);
      if (!others) return null;
      const now = keptInBooks();
      const kept = sum(now, counted, -1);
      counted = now;
      return { kept, aside: asideBetween.all(from, until), lagsMs: [] };
    },
  };
}

function sum(one: Readonly<Kept>, other: Readonly<Kept>, sign: 1 | -1): Kept {
  const of = (as: KeptAs) => one[as] + sign * other[as];
  return { new: of('new'), duplicate: of('duplicate'), variant: of('variant') };
}
