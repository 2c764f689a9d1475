import { type BookName, bookKey } from '../../domain/matching/book.ts';
import { daysChargedOn, type Invoice, invoicedDaysOf } from '../../domain/matching/invoice.ts';
import type { InvoicedFee } from '../../domain/matching/terms.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { Sides } from '../load/sides.ts';

/** The fees of some days in a book, and the lines that charge them. */
export interface Charged {
  readonly sides: Sides;
  readonly name: BookName;
  readonly days: Invoice['days'];
  readonly fees: InvoicedFee[];
  readonly lines: LooseLine[];
}

/** The fees that are charged in lines of their own: by book and days. */
export class Invoices {
  readonly #charged = new Map<string, Charged>();

  /** Notes fees that a payment of a book is charged together with others. */
  note(sides: Sides, name: BookName, fees: readonly InvoicedFee[]): void {
    const { invoiced } = sides.leg;
    if (invoiced === null) return;
    for (const fee of fees) this.#of(sides, name, invoicedDaysOf(invoiced, fee.day)).fees.push(fee);
  }

  /** Takes the lines that charge such fees out of those that nothing took. */
  take(sides: Sides, loose: Map<number, LooseLine>): void {
    const { leg, number, environment, currency } = sides;
    if (leg.invoiced === null) return;
    for (const line of loose.values()) {
      const isOf = line.leg === number && line.environment === environment && line.currency === currency;
      if (!isOf || line.kind !== null || line.reference !== null) continue;
      loose.delete(line.id);
      this.#of(sides, line, daysChargedOn(leg.invoiced, line.date)).lines.push(line);
    }
  }

  all(): Charged[] {
    return [...this.#charged.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, charged]) => charged);
  }

  #of(sides: Sides, { environment, account, currency }: BookName, days: Invoice['days']): Charged {
    const name = { environment, account, currency };
    const key = `${bookKey(name)} ${sides.number} ${days.from}`;
    const known = this.#charged.get(key) ?? { sides, name, days, fees: [], lines: [] };
    this.#charged.set(key, known);
    return known;
  }
}
