import { expect, test } from 'vitest';
import { type KillOrder, killRounds } from '../support/kill-rounds.ts';
import { MISTAKES, patchedProgram } from '../support/patched-program.ts';
import { expectStrace } from '../support/power/recording.ts';

const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test('3 × kill -9 under load: nothing acknowledged is lost, nothing is doubled, every record is the fold of its set', async () => {
  const figures = await killRounds({ kills: 3, seed, mostAcks: 600 });
  expect(figures).toMatchObject({
    lost: 0,
    doubled: 0,
    undercounted: 0,
    overcounted: 0,
    integrity: 'ok',
    wrongRecords: [],
  });
  expect(figures.acked).toBeGreaterThan(200);
  expect(figures.distinctAcked).toBeLessThan(figures.acked); // duplicates were among them
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
