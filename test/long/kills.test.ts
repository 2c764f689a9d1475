import { expect, test } from 'vitest';
import { killAtPoints, POINT_NAMES } from '../support/kill-points.ts';
import { type KillOrder, killRounds } from '../support/kill-rounds.ts';
import { MISTAKES, patchedProgram } from '../support/patched-program.ts';
import { expectStrace } from '../support/power/recording.ts';

const kills = Number(process.env.TALLYHOOK_KILLS ?? 1_000);
/** Most acks between two kills: 1,000 kills see two million. */
const mostAcks = Number(process.env.TALLYHOOK_KILL_ACKS ?? 4_000);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test(`${kills} × kill -9 under load, seed ${seed}`, async () => {
  const { wrongRecords, ...figures } = await killRounds({ kills, seed, mostAcks });
  console.info(JSON.stringify({ seed, ...figures, wrongRecords: wrongRecords.length }));
  expect(wrongRecords).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, overcounted: 0, integrity: 'ok' });
});

const atPoints = Number(process.env.TALLYHOOK_POINT_KILLS ?? 110);

test(`${atPoints} × kill -9 in the middle of each step of a delivery, seed ${seed}`, async () => {
  const points = Array.from({ length: atPoints }, (_, n) => POINT_NAMES[n % POINT_NAMES.length] ?? POINT_NAMES[0]);
  const { wrongRecords, ...figures } = await killAtPoints(points as typeof POINT_NAMES, seed);
  console.info(JSON.stringify({ seed, kills: atPoints, ...figures, wrongRecords: wrongRecords.length }));
  expect(wrongRecords).toEqual([]);
  expect(figures).toMatchObject({
    lost: 0,
    doubled: 0,
    undercounted: 0,
    overcounted: 0,
    wrongAfter: [],
    integrity: 'ok',
  });
});

/** Each write of a page takes 2 ms, so that a kill meets a commit half-way, as not every kill does. */
function onSlowDisk(program: KillOrder['program'], seed: number): KillOrder {
  expectStrace();
  const trace = ['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=pwrite64'];
  const under = [...trace, '-e', 'inject=pwrite64:delay_enter=2000'];
  return { kills: 1, seed, mostAcks: 200, program: { ...program, under } };
}

const NEEDS_STRACE = { tags: ['strace'] };

test('the proof can fail: an ack that leaves before the commit is lost', NEEDS_STRACE, async () => {
  const program = patchedProgram(...MISTAKES['an ack that leaves before the commit']);
  let lost = 0;
  for (let kill = 1; kill <= 20 && lost === 0; kill++) ({ lost } = await killRounds(onSlowDisk(program, seed + kill)));
  expect(lost).toBeGreaterThan(0);
});
