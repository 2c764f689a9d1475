import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { AlertWatches } from '../../../src/jobs/alert-watches.ts';
import { checkAlerts } from '../../../src/jobs/alerts.ts';
import type { Alerts } from '../../../src/store/alerts.ts';
import { StoreError } from '../../../src/store/error.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/time/clock.ts';
import { FixedClock, START_MS } from '../../support/fixed-clock.ts';
import { openOperations } from '../../support/operations.ts';
import { TEST_KEY_ENV } from '../../support/signer.ts';
import { EXACT } from '../../support/sweeping.ts';
import { refund, TestDatabase } from '../../support/test-database.ts';

test('where the store takes a judgement and no lease of its notices, they are told from memory, once, and later their recovery', async () => {
  const db = new TestDatabase();
  onTestFinished(() => db.remove());
  db.keepAndApply({ ...refund('R0', 'processing'), body: Buffer.from('{"notify":"refund"}') }); // quarantined
  const clock = new FixedClock(START_MS + MINUTE_MS);
  const operations = openOperations(db.path, EXACT, clock);
  onTestFinished(() => operations.close());
  const config = loadConfig({ env: { TALLYHOOK_DATABASE: db.path, ...TEST_KEY_ENV }, cwd: db.folder });
  let hasRoom = false;
  const leaseNotices: Alerts['leaseNotices'] = (order) => {
    clock.ms += 1;
    if (hasRoom) return operations.alerts.leaseNotices(order);
    return Promise.reject(new StoreError('disk_full', 'The disk is full.'));
  };
  const told: string[] = [];
  const watches = new AlertWatches(clock);
  const check = () =>
    checkAlerts({
      ...{ config, clock, watches, serve: null, expectServe: false, signal: new AbortController().signal },
      operations: { alerts: { ...operations.alerts, leaseNotices } },
      onWarning: (text) => told.push(text),
      onAlert: ({ title }) => told.push(title),
    });

  const opened = await check();
  expect([opened.opened, opened.sent, opened.unwritten?.fault]).toEqual([1, 1, 'disk_full']);
  clock.ms += MINUTE_MS;
  expect(await check()).toMatchObject({ opened: 0, sent: 0 });
  hasRoom = true;
  clock.ms += MINUTE_MS;
  expect(await check()).toMatchObject({ opened: 0, sent: 0, unwritten: null });
  clock.ms += DAY_MS;
  expect(await check()).toMatchObject({ recovered: 1, sent: 1, unwritten: null });
  expect(told).toEqual([
    expect.stringMatching(/^warning: quarantined/),
    expect.stringMatching(/^recovered: quarantined/),
  ]);
});
