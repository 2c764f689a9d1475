import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditFilter } from '../../../../../src/store/audit.ts';
import type { Page } from '../../../../../src/store/records.ts';
import { auditReads } from '../../../../../src/store/sqlite/read/audit.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

const LAST = 600_001;
let db: TestDatabase;

beforeAll(() => {
  db = new TestDatabase();
  const insert = db.database.prepare(`
    INSERT INTO audit_entries (seq, at, who, act, subject, hash) VALUES (?, ?, ?, 'exception.assign', ?, ?)`);
  for (const [seq, who] of [
    [1, 'Ada'],
    [25_000, 'Bob'],
    [500_000, 'ADA '],
    [LAST, 'Éva'],
  ] as const)
    insert.run(seq, seq * 1_000, who, `exception:${seq}`, `hash ${seq}`);
  db.database.prepare("INSERT INTO audit_touched (seq, subject) VALUES (25000, 'exception:1')").run();
});

afterAll(() => db.remove());

async function seqs(filter: AuditFilter, page: Partial<Page> = {}): Promise<number[]> {
  const entries = await auditReads(db.database).auditEntries(filter, { order: 'newest', limit: 9, ...page });
  return entries.map(({ seq }) => seq);
}

test('a filter of the audit finds its entries in every window, a person by each spelling', async () => {
  expect(await seqs({ who: 'ada' })).toEqual([500_000, 1]);
  expect(await seqs({ who: 'ÉVA' }, { order: 'oldest' })).toEqual([LAST]);
  expect(await seqs({ subject: 'exception:1' })).toEqual([25_000, 1]);
  expect(await seqs({ sinceMs: 25_000_000, untilMs: 600_000_000 })).toEqual([500_000, 25_000]);
  expect(await seqs({}, { afterId: 25_000 })).toEqual([1]);
});

test('a page of the audit looks at as many entries as it is told, and more than half a million are not counted', async () => {
  const { countAuditEntries } = auditReads(db.database);
  expect(await seqs({ who: 'ada' }, { most: 100_000 })).toEqual([]);
  expect(await seqs({ who: 'ada' }, { most: 100_000, afterId: 500_001 })).toEqual([500_000]);
  expect([await countAuditEntries({}), await countAuditEntries({ who: 'ada' })]).toEqual([LAST, null]);
});
