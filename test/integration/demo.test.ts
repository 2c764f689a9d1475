import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { addDemoUser } from '../../cli/commands/demo/login.ts';
import type { Story } from '../../cli/commands/demo/story.ts';
import { loadConfig } from '../../src/config/load.ts';
import { linkDigest } from '../../src/domain/access/one-time.ts';
import { ROLES } from '../../src/domain/access/roles.ts';
import { tokenDigest } from '../../src/domain/access/token.ts';
import { openStore } from '../../src/store/open.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { all, type Element, hasClass, named, readHtml, tableOf, textOf } from '../support/html.ts';
import { expectMistake } from '../support/mistakes.ts';
import { someOf } from '../support/random-runs.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = temporaryFolder();

/** As the program tells it to other programs; what it prints is in docs/demo.svg. No variable of this environment is used. */
const env = { TALLYHOOK_DATABASE: join(cwd, 'mine.db'), TALLYHOOK_TEST_SECRET_KEY: 'not a key', TMPDIR: cwd };
const told = await tallyhook(['demo', '--json'], { cwd, env });
const leftBehind = readdirSync(cwd, { recursive: true }).sort();
const story = () => JSON.parse(told.stdout) as Story;

test('receiver and books differ only by named planted faults, and the sweep repairs lost webhooks', () => {
  expect(told.stderr).toBe('');
  const { counts, records, differences, sweep, forwarded, left, findings, reconciled } = story();
  expect(counts.length).toBe(8);
  expect(counts.map(({ what, found }) => [what, found])).toEqual(counts.map(({ what, expected }) => [what, expected]));
  expect(records).toBe(21);
  const causes = differences.map(({ record, because }) => [record.split(' ')[0], because]);
  expect(causes.toSorted()).toEqual([
    ['collection', 'transaction.successful never sent'],
    ['refund', 'refund.success never sent'],
    ['refund', 'refund.success sent again with another amount under the same key'],
  ]);
  expect(sweep).toMatchObject({ checked: 21, confirmed: 21, repaired: 2, failed: {}, stopped: null });
  // One order is never paid; of each of the others the application got the one word that settled it.
  expect(forwarded).toMatchObject({ settled: 20, agreeing: 20, news: 20, refused: 0 });
  expect(forwarded.examples.map((text) => text.split(' ')[0])).toEqual(['refund', 'payout', 'collection']);
  // The service confirmed the amount of which the webhooks sent two, and the findings stay.
  expect(left).toEqual([]);
  expect(findings.map(({ code }) => code).toSorted()).toEqual(['fact_conflict', 'tie', 'variant']);
  // The breaks are the planted ones: of the webhooks, and one for each fault of the files.
  const { matched, breaks, missed, faults, proof } = reconciled;
  expect(matched).toEqual({
    'records-wallet': 19,
    'records-settlement': 13,
    'batch-wallet': 3,
    'batch-bank': 3,
    'topup-bank': 1,
  });
  expect([faults, missed]).toEqual([4, []]);
  const reasons = (from: string) => breaks.filter(({ source }) => source === from).map(({ because }) => because);
  expect([reasons('webhooks').length, breaks.length]).toEqual([4, 8]); // one of the contradictory refunds is not final at the end of the month
  expect(reasons('files').toSorted()).toEqual([
    'altered in the bank',
    'fee altered in the wallet',
    'left out of the wallet',
    'twice in the wallet',
  ]);
  expect(proof.map(({ account, unexplained }) => [account, unexplained])).toEqual(
    ['bank-kes', 'bank-ngn', 'bank-usd', 'wallet-kes', 'wallet-ngn', 'wallet-usd'].map((name) => [
      `m1-${name}`,
      '0.00',
    ]),
  );
  // 1,000,000.00 in naira, the payments and payouts of the day, and the settlement of 24,000.00.
  const closing = proof.find(({ account }) => account === 'm1-wallet-ngn')?.rows.at(-1);
  expect(closing).toMatchObject({ name: 'closing', ours: '995467.75' });
  expect(told.code).toBe(0);
});

test('the demo uses no variable of the environment, and leaves one file: the page of its days', () => {
  expect(leftBehind).toEqual(['data', 'data/demo-report.html']);
  expect(story().reconciled.page).toBe('data/demo-report.html');
});

test('the page of the demo tells of each break what the statement, the webhooks and the service say', () => {
  const { reconciled } = story();
  const page = readHtml(readFileSync(join(cwd, reconciled.page), 'utf8'));
  const stories = new Map(
    all(page, (one) => hasClass(one, 'story')).map((story) => [
      textOf(named(story, 'h3')[0] as Element),
      textOf(story),
    ]),
  );
  const references = reconciled.breaks.map(({ reference }) => reference);
  expect(new Set(stories.keys())).toEqual(new Set(references));
  // The planted faults, by their cause: a fee altered in the wallet, a line left out of it, a payout twice in it.
  expect(stories.get('order-1009')).toMatch(
    /fee −144\.58 NGN row \d+ of wallet-ngn\.csv.* Webhook \S+ \S+ transaction\.successful: success, .*fees 154\.80.* Service \S+ \S+ answered success, .*fees 154\.80/,
  );
  expect(stories.get('order-1008')).not.toMatch(/collection \S+ NGN row \d+ of wallet-ngn\.csv/);
  expect(stories.get('wages-3')?.match(/payout −1,500\.00 NGN row \d+ of wallet-ngn\.csv/g)?.length).toBe(2);
  // A batch of the service has neither a webhook nor an answer, and the page says so.
  const batch = [...stories].find(([reference]) => reference.startsWith('STL_'))?.[1];
  expect(batch).toMatch(/settlement \+24,003\.03 NGN .*no webhook was received.*no answer about it is kept/);
  for (const { account, rows, unexplained, currency } of reconciled.proof) {
    const closing = rows.at(-1)?.theirs ?? '';
    const [, ...shown] = tableOf(page, `Balance of ${account}, ${currency}`);
    const figures = shown.map((cells) => cells.map((cell) => cell.replaceAll(',', '').replace('−', '-')));
    expect(figures.find(([name]) => name === 'Closing')?.[2]).toBe(closing);
    expect(figures.find(([name]) => name === 'Unexplained')?.[3]).toBe(unexplained);
  }
});

test('demo --keep lets its one user in: by the link once in a browser, by the token on the command line', async () => {
  const folder = temporaryFolder();
  const database = join(folder, 'tallyhook.db');
  makeEmptyDatabase(database);
  const { link, token } = await addDemoUser(loadConfig({ env: { TALLYHOOK_DATABASE: database }, cwd: folder }));
  const archive = await openStore(database).archive();
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:4603\/link\//);
  expect(await archive.linkOwner(linkDigest(link.split('/').at(-1) ?? ''))).toBe('Demo');
  const facts = await archive.proofFacts({ kind: 'token', digest: tokenDigest(token) });
  expect(facts).toMatchObject({ hasUsers: true, credential: { name: 'Demo', roles: ROLES } });
  await archive.close();
});

test('demo --keep touches no data while a port that it needs is taken', async () => {
  const there = join(cwd, 'data', 'demo', 'tallyhook.db');
  mkdirSync(dirname(there), { recursive: true });
  writeFileSync(there, 'of a receiver that runs');
  const listener = createServer().listen(4601, '127.0.0.1');
  await Promise.race([once(listener, 'listening'), once(listener, 'error')]); // taken by another program, it is taken
  const ended = await tallyhook(['demo', '--keep'], { cwd });
  listener.close();
  expect(ended).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^tallyhook: Something listens on 127\.0\.0\.1:460[013], .* nothing was changed\.\nStop /,
    ),
  });
  expect(readFileSync(there, 'utf8')).toBe('of a receiver that runs');
});

// Here, as it looks at the ports first: beside the test above another one would find them taken.
test('demo --keep says which folder it cannot make', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'data'), 'no folder');
  await expectMistake(['demo --keep', 1, 'Cannot make the folder', 'Change to a folder that this user may write to'], {
    cwd: folder,
  });
});

test.each(someOf(1, [2, 3]))(
  '--machines %i: one is killed in the middle, no webhook is lost, and the databases of all are equal',
  async (count) => {
    const { code, stdout, stderr } = await tallyhook(['demo', '--machines', `${count}`, '--json'], { cwd });
    expect({ code, stderr: stderr.replaceAll(/^.* …\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    const { machines, killed, webhooks, sweep, books } = JSON.parse(stdout);
    expect(machines.map(({ machine }: { machine: string }) => machine)).toEqual(
      ['one', 'two', 'three'].slice(0, count),
    );
    expect(new Set(machines.map(({ events }: { events: number }) => events)).size).toBe(1);
    expect(killed.machine).toBe('two');
    expect(webhooks.again).toBeGreaterThan(0);
    expect(sweep).toEqual({ checked: 21, confirmed: 21 });
    expect(books).toMatchObject({ differing: [] });
    expect(books.rows).toBeGreaterThan(100);
  },
);
