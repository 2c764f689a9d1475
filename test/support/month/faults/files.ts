import { FILE_FAULTS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { october } from '../days.ts';
import type { ExpectedItem } from '../story.ts';

/* Faults of whole files: each has an account of its own, with two lines that have no other side. */

function item(plant: string, code: string, account: (typeof FILE_FAULTS)[keyof typeof FILE_FAULTS]): ExpectedItem {
  const { name, environment, currency } = account;
  return { list: 'breaks', plant, code, leg: null, side: 'theirs', environment, account: name, currency };
}

/** What the stated balance of the file has more than its lines. */
export const MISSTATED = 12_345n;
/** By how much the second file begins above the end of the first. */
export const JUMP = 777n;

export function faultsOfFiles(b: Business): void {
  for (const account of Object.values(FILE_FAULTS)) {
    b.book.line(account, october(1), 'adjustment', b.amount(), { asOurs: true });
    b.book.line(account, october(31), 'adjustment', -b.amount(), { asOurs: true });
  }
  const { days, opening, rows, sum, closing, running, net } = FILE_FAULTS;
  b.book.expect({ ...item('days that no file covers', 'statement_gap', days), effect: 0n });
  b.book.expect({ ...item('an opening above the closing before', 'statement_gap', opening), effect: JUMP });
  b.book.misstated.push({ account: opening, by: JUMP, day: october(16) });
  b.book.expect({ ...item('another number of rows', 'control_mismatch', rows), effect: 0n });
  b.book.expect({ ...item('another sum', 'control_mismatch', sum), effect: 0n });
  b.book.expect({ ...item('another closing balance', 'control_mismatch', closing), effect: MISSTATED });
  b.book.misstated.push({ account: closing, by: MISSTATED, day: october(31) });
  b.book.expect(item('a running balance that jumps', 'control_mismatch', running));
  b.book.expect({ ...item('a net that is not gross less fee', 'control_mismatch', net), effect: 0n });
}
