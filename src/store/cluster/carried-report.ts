import type { Clock } from '../../time/clock.ts';
import { carriedElsewhere } from '../sqlite/carry-out/carried-elsewhere.ts';
import type { FromBooks } from '../sqlite/carry-out/messages.ts';
import type { Database } from '../sqlite/engine/database.ts';
import { outboxRows } from '../sqlite/write/outbox-rows.ts';
import type { SharedCarried } from './carry-out.ts';

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

  function elsewhere(own: SharedCarried | null): void {
    const carried = others.since(own);
    if (carried !== null) post({ type: 'carried_out', carried, deliveries: [], records: [] });
  }

  return {
    /** Another process may have carried something out. */
    elsewhere: (): void => elsewhere(null),

    /** After each transaction of this process. */
    own(carried: SharedCarried): void {
      elsewhere(carried);
      const { deliveries, kept, aside, records, state } = carried;
      // The bodies are views of whole entries, which a message would copy.
      const copied = () =>
        deliveries.map((one) => ({ ...one, delivery: { ...one.delivery, body: one.delivery.body.slice() } }));
      const lagMs = deliveries.length === 0 ? null : Math.max(0, clock.nowMs() - state.atMs);
      post({
        type: 'carried_out',
        carried: { kept, aside, lagMs },
        deliveries: collected ? copied() : [],
        records: collected ? records : [],
      });
      if (outbox.written === announced && !(deliveries.length > 0 && outbox.hasReceivers())) return;
      announced = outbox.written;
      post({ type: 'news' });
    },
  };
}

export type CarriedReport = ReturnType<typeof carriedReport>;
