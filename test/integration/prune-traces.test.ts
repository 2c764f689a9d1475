import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { command } from '../support/command.ts';
import { refund, START_MS, TestDatabase } from '../support/test-database.ts';

const DAY_MS = 86_400_000;

/** The names of bodies, half of them old, with bytes like `MARK-0417-` many times in each; some bodies need overflow pages. */
const mark = (n: number) => `MARK-${String(n).padStart(4, '0')}-`;
const isOld = (n: number) => n % 5 !== 0;

/** A database whose rows grew and moved before: repeated deliveries, and a prune that left every fifth one. */
function database(count: number): TestDatabase {
  const db = new TestDatabase();
  onTestFinished(() => db.remove());
  const deliveries = Array.from({ length: count }, (_, n) => {
    const filler = mark(n).repeat(n % 50 === 7 ? 1_000 : 20 + (n % 60));
    const receivedAtMs = START_MS - (isOld(n) ? 500 : 1) * DAY_MS;
    return refund(`R${n}`, 'success', { data: { filler } }, { receivedAtMs });
  });
  for (const one of deliveries) db.keepAndApply(one);
  for (let again = 0; again < 3; again++) db.keep(...deliveries.filter((_, n) => n % 3 === again));
  db.database.exec('UPDATE refunds SET due_at = NULL, confirmed = reported');
  const ages = db.database.prepare('UPDATE refunds SET changed_at = ? WHERE reference = ?');
  for (let n = 0; n < count; n++) ages.run(START_MS - (isOld(n) ? 500 : 1) * DAY_MS, `R${n}`);
  return db;
}

function foundIn(db: TestDatabase, count: number, which: (n: number) => boolean): string[] {
  const files = ['', '-wal', '-shm'].map((part) => db.path + part).filter((file) => existsSync(file));
  const bytes = files.map((file) => readFileSync(file));
  return Array.from({ length: count }, (_, n) => n)
    .filter(which)
    .map(mark)
    .filter((text) => bytes.some((content) => content.includes(text)));
}

test('after a prune no byte of the pruned bodies is in the database, its log or its index', async () => {
  const COUNT = 1_000;
  const db = database(COUNT);
  const prune = (...more: string[]) =>
    command(['prune', '--older', '300d', '--yes', '--json', ...more], {
      cwd: db.folder,
      env: { TALLYHOOK_DATABASE: db.path },
    });
  const kept = await prune('--no-rewrite');
  expect(kept).toMatchObject({ code: 0 });
  expect(JSON.parse(kept.stdout)).toMatchObject({ events: 800, rewritten: false });
  expect(foundIn(db, COUNT, isOld).length).toBeGreaterThan(0); // what the rewriting is for
  const done = await prune();
  expect(JSON.parse(done.stdout)).toMatchObject({ events: 0, rewritten: true, freeBytes: 0 });
  expect(foundIn(db, COUNT, isOld)).toEqual([]);
  expect(foundIn(db, COUNT, (n) => !isOld(n))).toHaveLength(200);
});
