import type { OpenJournal } from '../library.ts';
import { guarded } from '../sqlite/engine/reading.ts';
import { requestWrites } from '../sqlite/write/requests.ts';
import { noteWritten } from '../written.ts';
import { openLevelBooks, type SharedBooksOrder } from './open-books.ts';

/** Opens the journal of our requests. A request leaves only after its entry is kept in the log and carried out. */
export async function openSharedJournal(order: SharedBooksOrder): Promise<OpenJournal> {
  const { database, books, close } = await openLevelBooks(order);
  const reads = requestWrites(database, order.carryOut.zone);
  const step =
    <Result>(method: string) =>
    async (...input: readonly unknown[]): Promise<Result> => {
      const result = await books.write({ kind: 'request', method, input, under: books.under });
      noteWritten(books.written);
      return result as Result;
    };
  return {
    begin: step('begin'),
    settle: step('settle'),
    track: step('track'),
    knowsRefund: async (environment, reference) => guarded(database, () => reads.knowsRefund(environment, reference))(),
    pinVersion: step('pinVersion'),
    proven: async (environment) => guarded(database, () => reads.proven(environment))(),
    prove: step('prove'),
    close,
  };
}
