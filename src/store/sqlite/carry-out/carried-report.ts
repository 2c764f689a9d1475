import type { Clock } from '../../../time/clock.ts';
import type { Database } from '../engine/database.ts';
import { outboxRows } from '../write/outbox-rows.ts';
import { carriedElsewhere } from './carried-elsewhere.ts';
import type { Carried } from './carry-out.ts';
import type { FromBooks } from './messages.ts';

export interface CarriedReportParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether to send what each delivery became, for the log. */
  readonly collected: boolean;
  readonly post: (message: FromBooks) => void;
}

/** Says what was carried out, by this process and by others of its machine, and that there is something to forward. */
export function carriedReport({ database, clock, collected, post }: CarriedReportParts) {
  const others = carriedElsewhere(database);
  const outbox = outboxRows(database);
  let announced = 0;

  function elsewhere(own: Carried | null): void {
    const carried = others.since(own);
    if (carried !== null) post({ type: 'carried_out', carried, deliveries: [], records: [] });
  }

  /** Wakes what forwards: rows are committed, or events came that some target gets. */
  function news(deliveries = 0): void {
    const { written } = outbox;
    if (written === announced && !(deliveries > 0 && outbox.hasReceivers())) return;
    announced = written;
    post({ type: 'news' });
  }

  return {
    /** Another process may have carried something out. */
    elsewhere: (): void => elsewhere(null),

    /** After each transaction of this process. */
    own(carried: Carried): void {
      elsewhere(carried);
      const { deliveries, kept, aside, records } = carried;
      const nowMs = clock.nowMs();
      const lagsMs = deliveries.map(({ delivery }) => Math.max(0, nowMs - delivery.receivedAtMs));
      // The bodies are views of whole entries, which a message would copy.
      const copied = () =>
        deliveries.map((one) => ({ ...one, delivery: { ...one.delivery, body: one.delivery.body.slice() } }));
      post({
        type: 'carried_out',
        carried: { kept, aside, lagsMs },
        deliveries: collected ? copied() : [],
        records: collected ? records : [],
      });
      news(deliveries.length);
    },

    /** After a call of this process. */
    called: (): void => news(),
  };
}

export type CarriedReport = ReturnType<typeof carriedReport>;
