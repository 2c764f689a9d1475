import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Backfilling, listed, listing } from '../support/backfilling.ts';
import { command } from '../support/command.ts';
import { hostileServer } from '../support/hostile-server.ts';
import { KEYS, OnTerminal } from '../support/on-terminal.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { someOf } from '../support/random-runs.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { refund } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// The real command, killed and run twice at once: what it leaves is true, and only a finished walk counts as complete.

let world: Backfilling;
const children = new Set<ChildProcess>();
beforeEach(() => {
  world = new Backfilling();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  world.close();
});

const env = (baseUrl: string) => ({
  TALLYHOOK_BASE_URL: baseUrl,
  TALLYHOOK_DATABASE: world.db.path,
  ...TEST_KEY_ENV,
});

function start(baseUrl: string): ChildProcess {
  const child = spawn(process.execPath, [LAUNCHER, 'backfill'], {
    cwd: world.db.folder,
    env: { PATH: process.env.PATH ?? '', ...env(baseUrl) },
    stdio: 'ignore',
  });
  children.add(child);
  return child;
}

const finish = async (baseUrl: string) => {
  const { code, stdout } = await command(['backfill', '--json'], { cwd: world.db.folder, env: env(baseUrl) });
  return { code, walk: JSON.parse(stdout).walks[0] };
};
const names = Array.from({ length: 300 }, (_, n) => `R${String(n).padStart(3, '0')}`);
const outcomes = () =>
  world.rows<{ outcome: string | null }>('SELECT outcome FROM backfills ORDER BY id').map(({ outcome }) => outcome);

/** A list of 300 refunds whose page `held` does not come, while one is held; `letThrough` answers what was asked meanwhile. */
async function heldAt() {
  const state = { held: null as number | null };
  const list = listing(() => names.map((name) => listed(name)));
  const waiting: (() => void)[] = [];
  const service = await hostileServer((socket, request, server) => {
    const answer = () => void list(socket, request, server);
    if (state.held === null || !request.includes(`page=${state.held} `)) answer();
    else waiting.push(answer);
  });
  const letThrough = () => {
    state.held = null;
    for (const answer of waiting.splice(0)) answer();
  };
  return { url: service.url, state, service, letThrough };
}

test('kill -9 in the middle, again and again: no absence, no half truth, and the next walk sees everything', async () => {
  const { url, state } = await heldAt();
  // Unlisted, so that a walk which wrongly passed for a complete one would be noticed.
  world.db.keepAndApply(refund('ABSENT', 'success'), refund('R299', 'success'));
  for (const [round, page] of someOf(1, [9, 5, 13]).entries()) {
    state.held = page;
    const child = start(url);
    const written = Math.floor(((page - 1) * 20) / 64) * 64;
    await until(
      () => (world.row<{ n: number }>('SELECT count(*) AS n FROM refund_listings')?.n ?? 0) >= written,
      'some rows are written',
    );
    child.kill('SIGKILL');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(outcomes()).toEqual(Array.from({ length: round + 1 }, () => null));
    expect(world.rows('SELECT 1 FROM refund_listings WHERE absences > 0')).toEqual([]);
    // Each record that is there has its evidence and is due: nothing was torn apart.
    const bare = world.rows(
      `SELECT reference FROM refunds WHERE due_at IS NULL
       OR NOT EXISTS (SELECT 1 FROM observations WHERE kind = 'refund' AND record_id = refunds.id)`,
    );
    expect(bare).toEqual([]);
  }
  state.held = null;
  const { code, walk } = await finish(url);
  expect(code).toBe(0);
  expect(walk).toMatchObject({
    outcome: 'complete',
    rows: 300,
    missed: 1,
    absent: 0,
    since: '1970-01-01T00:00:00.000Z',
  });
  expect(world.references).toEqual(['ABSENT', ...names]);
  expect(world.rows('SELECT 1 FROM observations')).toHaveLength(302);
  expect(world.absent).toEqual([]);
  expect(await finish(url)).toMatchObject({ code: 3, walk: { absent: 1 } });
  expect(world.absent).toEqual(['ABSENT']);
});

test('two processes at once: each refund is one record with one observation, and an absence counts once', async () => {
  const { url, state, letThrough } = await heldAt();
  world.db.keepAndApply(refund('ABSENT', 'success'));
  state.held = 15;
  const both = [start(url), start(url)];
  await until(() => outcomes().length === 2, 'both have begun');
  letThrough();
  const codes = await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0]));
  expect(codes).toEqual([0, 0]);
  expect(outcomes()).toEqual(['complete', 'complete']);
  expect(world.references).toEqual(['ABSENT', ...names]);
  expect(world.rows("SELECT 1 FROM observations WHERE witness = 'list'")).toHaveLength(300);
  expect(world.rows('SELECT absences FROM refund_listings WHERE absences > 0')).toEqual([{ absences: 1 }]);
});

test('Ctrl-C ends the walk after the page under way, prints so, and keeps what was read', async () => {
  const { url, state, service } = await heldAt();
  state.held = 7;
  const child = spawn(process.execPath, [LAUNCHER, 'backfill', '--json'], {
    cwd: world.db.folder,
    env: { PATH: process.env.PATH ?? '', ...env(url) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      output[name] += text;
    });
  }
  await until(() => service.requests.length === 7, 'the seventh page is under way');
  child.kill('SIGINT');
  await until(() => output.stderr.includes('SIGINT'), 'the signal has arrived');
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(JSON.parse(output.stdout).walks).toMatchObject([{ outcome: 'stopped', rows: 120, created: 120, missed: 0 }]);
  expect(outcomes()).toEqual(['stopped']);
  expect(world.references).toHaveLength(120);
  // No retry is announced that will not come.
  expect(output.stderr).not.toContain('tried again');
});

test('Ctrl-C on a terminal ends the walk in the same order while its progress is drawn', {
  tags: ['script'],
}, async () => {
  const { url, state, service } = await heldAt();
  state.held = 7;
  const terminal = new OnTerminal(['backfill'], { cwd: world.db.folder, env: env(url) });
  try {
    await until(() => service.requests.length === 7, 'the seventh page is under way');
    await terminal.typeAt('rows of test', KEYS['Ctrl-C']);
    expect(await terminal.ended()).toMatchObject({ code: 1 });
    expect(terminal.shown).toContain('SIGINT');
    expect(outcomes()).toEqual(['stopped']);
    expect(world.references).toHaveLength(120);
  } finally {
    terminal.kill();
  }
});
