import type { BookFile } from '../../src/domain/balance/book-file.ts';

/** What a file of the wallet says of NGN: of October, with its days, 1,000.00 at both ends and no line, but for what is given. */
export function bookFile(given: Partial<BookFile> = {}): BookFile {
  const { statement = 1, unread = [] } = given;
  return {
    statement,
    account: { name: 'wallet', kind: 'wallet', environment: 'test' },
    currency: 'NGN',
    file: { name: `${statement}.csv`, sha256: `${statement}` },
    ...{ from: '2026-10-01', to: '2026-10-31', statesDays: true },
    ...{ opening: 100_000n, closing: 100_000n, sum: 0n },
    ...{ lines: 1, new: 1, unparsed: unread.length, unread, controls: [], isFaulty: false },
    unreadNames: new Set(unread.map(({ fingerprint, occurrence }) => `${fingerprint} ${occurrence}`)),
    ...given,
  };
}
