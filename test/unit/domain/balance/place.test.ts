import { expect, test } from 'vitest';
import { BookLines } from '../../../../src/domain/balance/book-lines.ts';
import { placeOf } from '../../../../src/domain/balance/place.ts';
import { bookFile } from '../../../support/book-files.ts';

test('a file opens before its unreadable row of an earlier file: the rest of the difference is a variance', () => {
  const row = { row: 5, column: 'Amount', value: 'x', reason: 'It is no amount.', date: '2026-10-12', currency: 'NGN' };
  const file = bookFile({ closing: 100_500n, unread: [{ ...row, fingerprint: 'a', occurrence: 1 }] });
  const order = { files: [file], lines: new BookLines([]), until: '2026-10-31' };
  const listed = [{ rows: new Set(['a 1', 'c 1']), minor: 1_200n, to: '2026-10-20' }];
  expect(placeOf(order, file, { level: 100_700n, listed, wrong: [] })).toMatchObject({
    ...{ expected: 100_200n, inside: 500n, variance: -200n, residue: { state: 'open', minor: 500n } },
  });
});
