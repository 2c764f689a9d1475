import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PlannedJob } from '../../src/store/jobs.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { openOperations } from '../support/operations.ts';
import { Serve } from '../support/serve.ts';
import { EXACT } from '../support/sweeping.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// A real `tallyhook serve`, and answers within every limit that need as much memory as such an answer can.

const YEAR_MS = 365 * 24 * 3_600_000;
const YEARLY = '0 0 1 1 *';
/** As many as are asked for at a time. */
const ANSWERS = 8;
const WEIGHT = Array.from({ length: 90_000 }, (_, n) => `{"kkkkkkkkkkkkkk${n}":"${n}vvvvvvvvvvv"}`).join(',');

let db: TestDatabase;
let serve: Serve | undefined;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(async () => {
  await serve?.kill();
  db.remove();
});

test('neither answers with ninety thousand further values nor a list with as many rows end the jobs thread', async () => {
  db.keepAndApply(
    ...Array.from({ length: ANSWERS }, (_, n) =>
      refund(`R${n}`, 'processing', {}, { receivedAtMs: Date.now() - YEAR_MS }),
    ),
  );
  const operations = openOperations(db.path, EXACT, new FixedClock(Date.now() - 3 * YEAR_MS));
  const jobs = ['sweep', 'backfill'].map((job): PlannedJob => ({ job, schedule: YEARLY, zone: 'Africa/Lagos' }));
  await operations.jobs.plan({ jobs });
  await operations.close();
  const service = await hostileServer((socket, request) => {
    const [, reference] = /\/(R\d+) HTTP/.exec(request) ?? [];
    const record = `{"refund_reference":"${reference}","status":"success","n":1,"more":[${WEIGHT}]}`;
    socket.write(answer(200, `{"data":${reference === undefined ? `[${WEIGHT},{"n":1}]` : record}}`));
  });
  const schedule = { sweep: YEARLY, backfill: YEARLY, health: null, alerts: null };
  writeFileSync(join(db.folder, 'tallyhook.yaml'), JSON.stringify({ baseUrl: service.url, schedule }));
  serve = await Serve.start({ cwd: db.folder, database: db.path });
  const output = () => serve?.stderr ?? '';
  const ends = () => output().match(/"msg":"(job ended|job failed|the jobs thread failed)"/g) ?? [];
  await until(() => ends().length === 2, 'both jobs end');
  expect(output()).not.toContain('the jobs thread failed');
  expect(output()).toContain(`${ANSWERS} unreadable`);
  expect(output()).toContain('90001 unreadable');
  expect(db.database.prepare('SELECT DISTINCT confirmed FROM refunds').pluck().all()).toEqual([null]);
});
