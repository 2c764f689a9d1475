import { openDatabase, writing } from '../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../src/store/sqlite/engine/migrate.ts';
import { recordWrites } from '../../src/store/sqlite/write/records.ts';

const GROUP = 1_000;

/** Makes a database of `records` refunds, each reported as `processing` by a webhook, and due. */
export function fillDue(path: string, records: number, nowMs: number): void {
  const database = openDatabase(path, { create: true });
  migrate(database, nowMs);
  const { observe } = recordWrites(database);
  const addGroup = writing(database, (first: number) => {
    for (let n = first; n < Math.min(first + GROUP, records); n++) {
      const claim = {
        status: 'processing',
        time: '2026-11-20T09:00:00Z',
        facts: { amount: null, currency: 'USD', transactionReference: `TX${n}` },
        details: {},
        unreadable: [],
        contradiction: false,
      };
      const observation = { witness: 'webhook', identity: `w${n}`, eventKey: `k${n}`, answer: null, claim } as const;
      const reference = `RFD_${String(n).padStart(9, '0')}`;
      observe([{ kind: 'refund', environment: 'test', reference, eventId: null, observation }], nowMs);
    }
  });
  for (let first = 0; first < records; first += GROUP) addGroup(first);
  database.close();
}
