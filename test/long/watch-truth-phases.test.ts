import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import {
  ANOTHER_KEY,
  AT,
  DISK_IS_FULL,
  LOCK_IS_HELD,
  NEARLY_FULL,
  NO_MORE_FILES,
  OUTAGE_OVER_MS,
  problemsIn,
  REFUSED_NOW,
  SERVICE_DOWN,
  WatchedServe,
} from '../support/watched-serve.ts';

// What an operator is told while things break under 50 deliveries a second, and after: every sentence of status, health, doctor,
// notices, metrics and log is compared with what the test knows, for it broke them. The clock of all processes is the test's: it stands
// while a sentence must say "just now", and jumps over the quiet time of an outage.

const NEEDS = { tags: ['mounts'] };
const PER_SECOND = 50;
/** The target of the forwarding is dead all the time. */
const TARGET = { 'target shop': /^\d+ rows? fails?: unreachable after \d+ attempts? since / };

let watched: WatchedServe;

beforeAll(async () => {
  watched = await WatchedServe.start(PER_SECOND);
});
afterAll(() => watched?.close());

/** Breaks things; whatever comes of it, all is whole and told as over before the next phase. */
const phase = (name: string, work: () => Promise<void>) =>
  test(name, NEEDS, async () => {
    const since = watched.sender.answers.length;
    try {
      await work();
    } finally {
      await watched.mend();
      if (watched.sender.refused(since).length > 0) watched.clock.jump(OUTAGE_OVER_MS);
    }
  });

const expectNoneRefused = (since: number) =>
  expect(watched.sender.count(200, since)).toBe(watched.sender.answers.length - since);

test('when all is well, nothing else is said', NEEDS, async () => {
  await watched.expectTold({ status: [], health: 0, doctor: TARGET });
  expect(watched.chat.caught).toEqual([]);
  expectNoneRefused(0);
});

phase('a disk that fills slowly', async () => {
  const since = watched.sender.answers.length;
  watched.fill(100 * 2 ** 20);
  await watched.expectTold({
    status: [NEARLY_FULL],
    health: 1,
    doctor: { 'free space': /^\d+\.?\d* MiB free of 400 MiB$/, ...TARGET },
  });
  expectNoneRefused(since);
});

/** What the log may say above `info` while the disk is full: each is true, and none says that deliveries are kept. */
const TRUE_OF_A_FULL_DISK = new Set([
  'delivery not kept',
  'work on the database failed; it is tried again',
  'the jobs thread failed at leasing due jobs',
  'the jobs thread failed at recording the result of alerts',
  'job ended, and its result was not recorded: its lease was over, or the database took no write',
  'the outbox could not be reached; it is tried again',
  'news not forwarded; it is tried again',
  'alert critical: not kept',
  'alert critical: disk low', // told before the first delivery was refused
]);
const ABOUT_THE_DISK = /^shop-1: (critical|recovered): disk low\n\nThe disk of the database (is|was) (nearly )?full/;

phase('a disk that is full at once is told from memory, and with count, from and to when it is over', async () => {
  const { sender, serve, clock } = watched;
  const logged = serve.stderr.length;
  const [since, noticed] = [sender.answers.length, watched.chat.caught.length];
  await watched.fillWhileDue();
  await sender.more(PER_SECOND / 2, 503);
  await watched.noticed(/critical: not kept/, noticed);
  expect(watched.notices(noticed, /not kept/).map((text) => text.split('\n\n').slice(0, 2))).toEqual([
    [
      'shop-1: critical: not kept',
      expect.stringMatching(
        new RegExp(
          `^(1 delivery|\\d+ deliveries) could not be kept and got 503 or 500 since ${AT}, the last ${AT}: the disk is full\\.$`,
        ),
      ),
    ],
  ]);
  const others = watched.notices(noticed).filter((text) => !text.startsWith('shop-1: critical: not kept\n'));
  expect(others.filter((text) => !ABOUT_THE_DISK.test(text))).toEqual([]);
  await watched.expectTold({
    status: [REFUSED_NOW(DISK_IS_FULL)],
    health: 1,
    doctor: {
      serve: /^runs \(http:\S+\)\. Deliveries are refused now: the disk is full; \d+ since /,
      'free space': /^0 MiB free of 400 MiB$/,
      ...TARGET,
    },
    metrics: { not_kept: 1 },
  });
  const open = 'tallyhook_alerts_open{cause="not_kept",severity="critical"} 1';
  const page = async () => (await fetch(`${serve.adminUrl}/metrics`)).text();
  await until(async () => (await page()).includes(open), `the metrics say ${open}`);
  const checkedFrom = watched.chat.caught.length;
  const checked = await watched.run('alerts', 'check', '--json');
  const { open: count, written } = JSON.parse(checked.stdout);
  expect(count).toBeGreaterThan(0);
  expect(checked.code, checked.stderr).toBe(written ? 3 : 1);
  // The database may have had room for the alert, though the log has none for deliveries; else the check tells it again.
  const kept = JSON.parse((await watched.run('alerts', 'list', '--cause', 'not_kept', '--json')).stdout).items;
  if (kept.length > 0) expect(kept).toMatchObject([{ open: true, facts: { fault: 'disk_full' } }]);
  else expect(watched.notices(checkedFrom)).toContainEqual(expect.stringContaining('shop-1: critical: not kept'));
  expect(watched.messages(logged)).toContain('delivery not kept');
  expect(watched.messages(logged).filter((message) => !TRUE_OF_A_FULL_DISK.has(message))).toEqual([]);

  clock.stop();
  await watched.mend();
  const refused = sender.refused(since);
  const counted = `${refused.length} since ${AT}, the last ${AT}`;
  await watched.expectTold({
    status: [new RegExp(`^- Deliveries were refused until just now: the disk was full; ${counted}$`)],
    health: 1,
  });
  await expectCopyTellsOfItself();
  const overFrom = watched.chat.caught.length;
  clock.jump(OUTAGE_OVER_MS);
  await watched.noticed(/recovered: not kept/, overFrom, () => watched.makeDue());
  expect(watched.notices(overFrom, /recovered: not kept/)).toEqual([
    expect.stringMatching(
      new RegExp(
        `\n${refused.length} deliveries could not be kept and got 503 or 500 from ${AT} to ${AT}: the disk was full\\. Deliveries are kept again\\.`,
      ),
    ),
  ]);
  await watched.expectFacts('not_kept', refused);
  await watched.expectTold({ status: [], health: 0, doctor: TARGET, metrics: {} });
  const total = `of these ${refused.length} authentic, answered 503 or 500`;
  await until(async () => (await watched.run('status')).stdout.includes(total), `status says ${total}`);
});

phase('a disk that takes no more files is not called full', async () => {
  const since = watched.sender.answers.length;
  watched.useUpFiles();
  await watched.expectTold({
    status: [NO_MORE_FILES],
    health: 1,
    doctor: { 'free space': /^\d+\.?\d* MiB free of 400 MiB, and room for 0 more files \(inodes\)$/, ...TARGET },
  });
  expectNoneRefused(since);
});

phase('a held lock, then a changed key: each with its own reason, within the cool-down of the other', async () => {
  const { sender, clock } = watched;
  const since = sender.answers.length;
  const noticed = watched.chat.caught.length;
  watched.makeDue();
  await watched.holdTheLock();
  await sender.more(5, 503);
  await watched.noticed(/critical: not kept/, noticed);
  expect(watched.notices(noticed, /critical: not kept/)[0]).toContain(
    ': another program holds the lock of the database or of its log.',
  );
  await watched.expectTold({ status: [REFUSED_NOW(LOCK_IS_HELD)], health: 1 });
  await watched.mend();
  const refused = sender.refused(since);
  const overFrom = watched.chat.caught.length;
  clock.jump(OUTAGE_OVER_MS);
  await sender.more(PER_SECOND / 4, 200);
  // The gaps of the outages would count as usual for a while.
  watched.sql('UPDATE arrivals SET gap_sum = 1000, gap_squares = 5000');

  watched.changeKey();
  await sender.more(PER_SECOND / 4, 401);
  const isTold = async () => problemsIn((await watched.run('status')).stdout).length > 0;
  await until(isTold, 'status tells of the key'); // refusals are counted in memory for a second
  const doctor = { deliveries: new RegExp(ANOTHER_KEY.source.replace('^- ', '^')), ...TARGET };
  await watched.expectTold({ status: [ANOTHER_KEY], health: 1, doctor });
  await watched.noticed(/critical: deliveries refused, test/, overFrom, () => watched.makeDue());
  const over = `\n${refused.length} deliver(y|ies) could not .* to ${AT}: another program held the lock`;
  expect(watched.notices(overFrom, /recovered: not kept/)).toEqual([expect.stringMatching(new RegExp(over))]);
  await watched.expectFacts('not_kept', refused);
  await watched.mend();
  await watched.expectTold({ status: [], health: 0 });
});

phase('a service that is dead, and its clock', async () => {
  const noticed = watched.chat.caught.length;
  watched.behindMs = 100_000;
  const clock = (await watched.doctor()).find(({ name }) => name === 'clock');
  expect(clock?.detail).toMatch(/^1 min (39|4\d) s from the service's$/);
  watched.isServiceDead = true;
  expect(await watched.run('sweep', '--limit', '3')).toMatchObject({ code: 3, stderr: '' });
  await watched.expectTold({ status: [], health: 0 }); // for seconds only
  watched.sql('UPDATE service_answers SET failing_since = failing_since - 180000');
  await watched.expectTold({ status: [SERVICE_DOWN], health: 0, metrics: { service_down: 1 } });
  await watched.noticed(/warning: service down, test/, noticed, () => watched.makeDue());
  expect(watched.notices(noticed, /service down/)).toHaveLength(1);
  await watched.mend();
  await watched.run('sweep', '--limit', '3');
  await watched.expectTold({ status: [], health: 0 });
});

// The last one: nothing runs after it.
test('a serve that is killed is not running at once, and none of its jobs is', NEEDS, async () => {
  const { serve } = watched;
  serve.signal('SIGKILL');
  await serve.exited;
  const { stdout } = await watched.run('status');
  const ended = `serve on \\S+, process ${serve.pid} ended without stopping in order, last seen ${AT}`;
  expect(problemsIn(stdout)).toEqual([expect.stringMatching(new RegExp(`^- serve is not running: ${ended}$`))]);
  expect(stdout).toMatch(/^serve +is not running$/m);
  expect(stdout).not.toMatch(/^jobs .*running/m);
  expect(await serveChecked({})).toMatch(/^is not running: nothing listens there/);
});

async function serveChecked(env: Record<string, string>): Promise<string | undefined> {
  const { stdout } = await watched.runWith(env, 'doctor', '--offline', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] };
  return checks.find(({ name }) => name === 'serve')?.detail;
}

/** A backup that is restored beside the running receiver says nothing of that receiver. */
async function expectCopyTellsOfItself(): Promise<void> {
  const { folder } = watched.disk;
  const backup = join(folder, 'backup.db');
  expect((await watched.run('backup', backup)).code).toBe(0);
  const ofCopy = { TALLYHOOK_DATABASE: join(folder, 'copy.db') };
  const restored = await watched.runWith(ofCopy, 'restore', backup, '--yes');
  expect(restored.code, restored.stderr).toBe(0);
  const { stdout } = await watched.runWith(ofCopy, 'status');
  expect(stdout).toMatch(/^serve +has never run with this database$/m);
  expect(stdout).not.toContain(String(watched.serve.pid));
  expect(await serveChecked(ofCopy)).toMatch(/^is not running with this database: process \d+ at \S+ has another one$/);
}
