import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { holdWrites, isWriteLocked } from '../support/held-write.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { type Ended, tallyhook } from '../support/tallyhook.ts';
import { payout, refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

const DAY_MS = 86_400_000;
const OLD_MS = Date.now() - 500 * DAY_MS;
/** Refunds of which pruning is cut off twice in the middle. */
const CUT_OFF = 200;
/** Events that one transaction prunes. */
const STEP = 32;

/** `count` settled refunds of 500 days ago, and a payout with an account number. */
function oldDatabase(count: number): TestDatabase {
  const db = new TestDatabase();
  const filler = 'x'.repeat(600);
  for (let done = 0; done < count; done += 500) {
    const batch = Array.from({ length: Math.min(500, count - done) }, (_, n) =>
      refund(`RFD_${done + n}`, 'success', { data: { filler } }, { receivedAtMs: OLD_MS }),
    );
    db.keepAndApply(...batch);
  }
  const data = { account_number: '0123456789', account_name: 'Ada Okafor' };
  db.keepAndApply(payout('PO_1', 'success', { data }, { receivedAtMs: OLD_MS }));
  for (const kind of ['refund', 'payout']) {
    db.database.exec(`UPDATE ${kind}s SET due_at = NULL, confirmed = reported, changed_at = ${OLD_MS}`);
  }
  return db;
}

function runIn(db: TestDatabase) {
  const env = { TALLYHOOK_DATABASE: db.path };
  const run = (...args: string[]): Promise<Ended> => command(args, { cwd: db.folder, env });
  return { run, json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout) };
}

describe('tallyhook prune', () => {
  const db = oldDatabase(20);
  const { run, json } = runIn(db);
  afterAll(() => db.remove());

  test('needs an age, and --yes', async () => {
    expect(await run('prune')).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --older 400d') });
    expect(await run('prune', '--older', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('30m, 24h or 7d'),
    });
    expect(await run('prune', '--older', '400d')).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(
        /^21 bodies \(\d.* kB\) and the personal data of 21 records would be pruned, of what has not changed since /,
      ),
      stderr: expect.stringContaining('Nothing was pruned.'),
    });
    expect(await run('prune', '--older', '600d', '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 bodies/),
    });
  });

  test('--dry-run changes nothing, --yes does it once, and its JSON is documented', async () => {
    const planned = await json('prune', '--older', '400d', '--dry-run');
    expect(planned).toMatchObject({ pruned: false, records: 21, events: 21, variants: 0, stopped: false });
    const done = await json('prune', '--older', '400d', '--yes');
    expect(done).toMatchObject({
      pruned: true,
      records: 21,
      events: 21,
      variants: 0,
      bytes: planned.bytes,
      stopped: false,
    });
    expect(undocumentedFields({ ...planned, ...done }, ['prune'])).toEqual([]);
    expect(await run('prune', '--older', '400d', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 bodies \(0 bytes\)/),
    });
  });

  test('pruned events and records are shown as pruned', async () => {
    expect((await run('events', 'list', '--limit', '1')).stdout).toContain('observed, pruned');
    const shown = (await run('events', 'show', '21', '--reveal')).stdout;
    expect(shown).toMatch(/Body \(pruned .*; its sha256 was [0-9a-f]{64}\)/);
    expect(shown).not.toContain('Okafor');
    const event = await json('events', 'show', '21', '--reveal');
    expect(event).toMatchObject({
      prunedAt: expect.any(String),
      body: null,
      bodyBase64: null,
      bytes: 0,
      status: 'success',
    });
    expect(event.record).toMatchObject({ prunedAt: event.prunedAt, facts: { amount: '100.00', accountNumber: null } });
    expect(
      undocumentedFields(event, ['events show', 'events list', 'refunds, payouts, collections', 'findings']),
    ).toEqual([]);
    expect(await run('events', 'show', '21', '--raw')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/event 21 is gone: it was pruned/),
    });
    const payouts = (await run('payouts', 'show', 'PO_1', '--reveal')).stdout;
    expect(payouts).toMatch(/^pruned .*: personal data and bodies$/m);
    expect(payouts).not.toMatch(/Okafor|0123456789/);
    const exported = (await run('events', 'export')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(
      exported.every(({ prunedAt, bodyBase64, bodyDigest }) => prunedAt && bodyBase64 === null && bodyDigest),
    ).toBe(true);
    const folder = join(db.folder, 'bodies');
    const csv = (await run('events', 'export', '--format', 'csv', '--bodies', folder)).stdout;
    expect(csv.split(/\r?\n/)[0]).toMatch(/,"pruned_at"$/);
    expect(await run('events', 'export', '--bodies', folder)).toMatchObject({ code: 0 }); // no body, no file
    expect(await json('stats')).toMatchObject({ events: 21, pruned: 21 });
    expect((await run('doctor')).stdout).toContain('pruned: 21 of 21 bodies');
    expect((await run('backup', 'after.db')).code).toBe(0);
    expect(readFileSync(join(db.folder, 'after.db')).includes('Okafor')).toBe(false);
  });
});

test('without --older, prune.afterDays is the age', async () => {
  const db = oldDatabase(1);
  const { run } = runIn(db);
  writeFileSync(join(db.folder, 'tallyhook.yaml'), 'prune: {afterDays: 400}\n');
  expect(await run('prune', '--dry-run')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 bodies/) });
  writeFileSync(join(db.folder, 'tallyhook.yaml'), 'prune: {afterDays: 600}\n');
  expect(await run('prune', '--dry-run')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 bodies/) });
  db.remove();
});

describe('cut off in the middle', () => {
  const start = (db: TestDatabase) =>
    spawn(process.execPath, [LAUNCHER, 'prune', '--older', '400d', '--yes'], {
      cwd: db.folder,
      env: { PATH: process.env.PATH ?? '', TALLYHOOK_DATABASE: db.path },
    });
  const pruned = (reader: ReturnType<typeof readerOf>) =>
    reader.prepare<[], number>('SELECT count(*) FROM events WHERE pruned_at IS NOT NULL').pluck().get() ?? 0;

  test('by SIGINT, then by SIGKILL: each pruned event is pruned completely, and the next run does the rest', async () => {
    const db = oldDatabase(CUT_OFF);
    const reader = readerOf(db.path);
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const before = pruned(reader);
      const isBehindFirstStep = `(SELECT count(*) FROM events WHERE pruned_at IS NOT NULL) > ${before + STEP}`;
      const release = holdWrites(db.path, {
        after: 'UPDATE OF pruned_at ON events',
        when: `new.id % ${STEP} = 0 AND ${isBehindFirstStep}`,
        lasts: signal === 'SIGKILL' ? 'for ever' : 'for a while',
      });
      const child = start(db);
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      await until(() => pruned(reader) > before && isWriteLocked(db.path), 'the second step is held');
      child.kill(signal);
      const code = await ended;
      if (signal === 'SIGINT') {
        expect([code, stderr]).toEqual([1, expect.stringContaining('pruning ends after the current step')]);
        expect(stderr).toContain('run it again for the rest');
      }
      release();
      expect(pruned(reader)).toBeLessThan(CUT_OFF);
      const torn = `SELECT count(*) FROM events WHERE (pruned_at IS NULL) <> (length(body) > 0) OR (pruned_at IS NULL) <> (content_digest IS NULL)`;
      expect(reader.prepare(torn).pluck().get()).toBe(0);
      expect(reader.pragma('quick_check', { simple: true })).toBe('ok');
    }
    const done = pruned(reader);
    // The next run is two at a time.
    const next = { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } };
    const prune = () => tallyhook(['prune', '--older', '400d', '--yes', '--json'], next);
    const both = await Promise.all([prune(), prune()]);
    expect(both.reduce((sum, { stdout }) => sum + JSON.parse(stdout).events, done)).toBe(CUT_OFF + 1);
    expect(await runIn(db).json('prune', '--older', '400d', '--dry-run')).toMatchObject({ events: 0, records: 0 });
    reader.close();
    db.remove();
  });
});

describe('beside a running receiver', () => {
  const db = oldDatabase(300);
  let serve: Serve;
  beforeAll(async () => {
    serve = await Serve.start({ cwd: db.folder, database: db.path });
  });
  afterAll(async () => {
    await serve.stop();
    db.remove();
  });

  test('deliveries are kept during a prune, and a repeated delivery of a pruned event is a duplicate', async () => {
    const { json } = runIn(db);
    const env = { TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_4f1c7a', TALLYHOOK_TEST_SECRET_KEY: 'sk_test_0123456789abcdef' };
    const trigger = tallyhook(
      [
        'trigger',
        'refund.success',
        '--url',
        `${serve.url}/webhooks/test`,
        '--count',
        '200',
        '--concurrency',
        '4',
        '--json',
      ],
      { cwd: db.folder, env },
    );
    const [done, sent] = await Promise.all([json('prune', '--older', '400d', '--yes'), trigger]);
    expect(done).toMatchObject({ records: 301, events: 301 });
    expect(JSON.parse(sent.stdout)).toMatchObject({ answers: { 200: 200 } });

    const { body } = refund('RFD_7', 'success', { data: { filler: 'x'.repeat(600) } });
    const headers = { ...signed(body) };
    const answer = await fetch(`${serve.url}/webhooks/test`, { method: 'POST', body: Buffer.from(body), headers });
    expect(await answer.json()).toEqual({ received: true });
    await carriedOut(db.path);
    const event = db.database.prepare("SELECT deliveries, pruned_at FROM events WHERE reference = 'RFD_7'").get();
    expect(event).toEqual({ deliveries: 2, pruned_at: expect.any(Number) });
  });
});
