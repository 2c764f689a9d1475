import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type ConfirmedNews, startTallyhook, TallyhookError } from '../../src/index.ts';
import { openStore } from '../../src/store/open.ts';
import { answeringService } from '../support/answering-service.ts';
import { checked } from '../support/check.ts';
import { temporaryFolder } from '../support/folder.ts';
import { readerOf } from '../support/reader.ts';
import { signed, TEST_KEYS } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// The library in an application of our own, with its real database.

function configIn(folder: string, more = 'schedule: {sweep: null, backfill: null, health: null}'): string {
  const file = join(folder, 'tallyhook.yaml');
  const keys = `keys: {test: [{publicKey: ${TEST_KEYS.publicKey}, secretKey: ${TEST_KEYS.secretKey}}]}`;
  writeFileSync(file, `database: shop.db\n${more}\n${keys}\n`);
  return file;
}

test('what rejects is tried again with the same news, in order; closing the application ends everything', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'shop.db');
  const app = Fastify();
  const taken: ConfirmedNews[] = [];
  app.get('/own', () => ({ own: true }));
  app.setNotFoundHandler((request, reply) => reply.code(404).send({ nothingAt: request.url }));
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ ours: 'an error' }));
  const signals: boolean[] = [];
  const lines: { readonly level: number; readonly msg: string; readonly err?: { message: string; stack: string } }[] =
    [];
  await app.register(
    async (child) => {
      await startTallyhook({
        config: configIn(folder),
        app: child,
        log: pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
        onConfirmed(news, { signal }) {
          taken.push(news);
          signals.push(signal.aborted);
          return taken.length === 1 ? Promise.reject(new Error('not now')) : undefined;
        },
      });
    },
    { prefix: '/pay' },
  );
  const send = async (reference: string) => {
    const data = {
      refund_reference: reference,
      status: 'processing',
      amount: '50.00',
      currency: 'USD',
      updated_at: '2026-11-20T09:00:00Z',
    };
    const payload = JSON.stringify({ event: 'refund.processing', data });
    return app.inject({ method: 'POST', url: '/pay/webhooks/test', headers: signed(payload) as never, payload });
  };
  expect((await send('R1')).json()).toMatchObject({ received: true });
  expect((await app.inject('/own')).json()).toEqual({ own: true }); // the application's own routes, with its own parsers
  expect((await app.inject({ method: 'POST', url: '/webhooks/test' })).json()).toEqual({ nothingAt: '/webhooks/test' });
  const reader = readerOf(path);
  await until(() => reader.prepare('SELECT 1 FROM refunds').get() !== undefined, 'it is applied');
  await checked({ path }, 'R1', 'success', { nowMs: Date.now() });
  await until(() => taken.length === 1, 'it is called');
  const detailOf = () => reader.prepare('SELECT detail FROM outbox_attempts WHERE detail IS NOT NULL').pluck().get();
  await until(() => detailOf() !== undefined, 'its failure is written');
  expect(detailOf()).toBe('Error: not now');
  const stack = expect.stringMatching(/^Error: not now\n {4}at .*start-tallyhook\.test\.ts/);
  await until(() => lines.length > 0, 'its failure is logged');
  expect(lines).toMatchObject([{ level: 40, err: { message: 'not now', stack } }]);
  const operations = await openStore(path).operations();
  await until(async () => {
    await operations.outbox.retry({ rows: { filter: { target: 'app' }, afterId: 0 }, dryRun: false });
    return taken.length > 1;
  }, 'it is called again');
  await operations.close();
  await until(
    () => reader.prepare("SELECT 1 FROM outbox WHERE state = 'delivered'").get() !== undefined,
    'it is delivered',
  );
  expect(taken[1]).toEqual(taken[0]);
  expect(taken[0]).toMatchObject({
    type: 'refund.success',
    reference: 'R1',
    n: 2,
    data: { facts: { amount: '50.00' } },
  });
  expect(signals).toEqual([false, false]);
  reader.close();
  await app.close();
  const again = await openStore(path).operations(); // no process holds the database against a restore any more
  await again.close();
});

/** An application on a configuration, with what it takes, and a function that delivers an event of a refund to it. */
async function shopOn(config: string) {
  const app = Fastify();
  const taken: ConfirmedNews[] = [];
  const log = pino({ level: 'silent' });
  const tallyhook = await startTallyhook({ config, app, log, onConfirmed: (news) => taken.push(news) });
  const data = { status: 'success', amount: '50.00', currency: 'USD' };
  const send = (reference: string) => {
    const payload = JSON.stringify({ event: 'refund.success', data: { ...data, refund_reference: reference } });
    return app.inject({ method: 'POST', url: '/webhooks/test', headers: signed(payload) as never, payload });
  };
  return { app, taken, tallyhook, send };
}
const service = () =>
  answeringService((_method, path) => {
    const data = { refund_reference: path.split('/').at(-1), status: 'success', amount: '50.00', currency: 'USD' };
    return [200, { success: true, data }];
  });

test('confirmed news comes by itself, long before the time for which the sweep is planned', async () => {
  const { url } = await service();
  const yearly = `baseUrl: ${url}\nconfirm: {debounceSeconds: 0}\nschedule: {sweep: 0 0 1 1 *, backfill: null, health: null}`;
  const { app, taken, send } = await shopOn(configIn(temporaryFolder(), yearly));
  await send('R1');
  await until(() => taken.length === 1, 'the news comes');
  expect(taken[0]).toMatchObject({ type: 'refund.success', reference: 'R1' });
  await app.close();
});

test('without a schedule sweep() checks what is due, and refuses to call a service without an address', async () => {
  const { url } = await service();
  const unscheduled = 'confirm: {debounceSeconds: 0}\nschedule: {sweep: null, backfill: null, health: null}';
  const { app, taken, tallyhook, send } = await shopOn(configIn(temporaryFolder(), `baseUrl: ${url}\n${unscheduled}`));
  await send('R1');
  await until(async () => (await tallyhook.sweep()).confirmed === 1, 'it is applied and checked');
  await until(() => taken.length === 1, 'the news comes');
  expect(await tallyhook.sweep()).toMatchObject({ checked: 0, stillDue: 0, stopped: null });
  await app.close();
  const other = await shopOn(configIn(temporaryFolder(), unscheduled));
  await expect(other.tallyhook.sweep()).rejects.toThrow(/baseUrl: is not set, and this calls the service/);
  await other.app.close();
});

test('a mistake of the caller is named', async () => {
  const app = Fastify();
  const right = { config: configIn(temporaryFolder()), app, onConfirmed: () => {} };
  for (const [over, message] of [
    [{ onConfirmed: undefined }, /onConfirmed is missing/],
    [{ app: {} }, /app is an object, and must be a Fastify application/],
    [{ config: 5 }, /config is a number/],
    [{ onConfirm: () => {} }, /onConfirm is not known here: did you mean onConfirmed\?/],
    [{ config: '/nowhere/tallyhook.yaml' }, /nowhere/],
  ] as const) {
    const called = startTallyhook({ ...right, ...over } as never);
    await expect(called).rejects.toBeInstanceOf(TallyhookError);
    await expect(called).rejects.toThrow(message);
  }
  await app.close();
});

test('an application that refuses the routes gets its error, and nothing stays open', async () => {
  const folder = temporaryFolder();
  const options = { config: configIn(folder), onConfirmed: async () => {} };
  const taken = Fastify();
  taken.post('/webhooks/test', () => 'ours');
  await expect(startTallyhook({ ...options, app: taken })).rejects.toThrow(/declared for route '\/webhooks\/test'/);
  const started = Fastify();
  await started.ready();
  await expect(startTallyhook({ ...options, app: started })).rejects.toThrow(/already booted/);
  // Files of the whole process, its threads included.
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    const name = `/proc/self/fd/${fd}`;
    return existsSync(name) ? [readlinkSync(name)] : [];
  });
  expect(open.filter((name) => name.startsWith(folder))).toEqual([]);
});
