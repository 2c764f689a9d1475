import { expect, test } from 'vitest';
import { MISTAKES, patchedProgram, SHORT_LOGS } from '../support/patched-program.ts';
import { cutPower } from '../support/power/cuts.ts';
import { CUT_MODES } from '../support/power/disk.ts';
import { type Recording, record } from '../support/power/recording.ts';
import { finishMaking, MAKING, restartServe } from '../support/power/restart.ts';

const deliveries = Number(process.env.TALLYHOOK_CUT_DELIVERIES ?? 200);
const wanted = Number(process.env.TALLYHOOK_CUTS ?? 100_000);
const restarts = Number(process.env.TALLYHOOK_CUT_RESTARTS ?? 100);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

/** The recording of a pass, which every mode cuts. Every second one has a short log: its checkpoints come often. */
const recordings: Recording[] = [];
async function recordingOf(pass: number): Promise<Recording> {
  const program = pass % 2 === 1 ? patchedProgram(...SHORT_LOGS) : {};
  recordings[pass] ??= await record(deliveries, seed + pass, program);
  return recordings[pass];
}

test.each(CUT_MODES)(
  `${wanted / CUT_MODES.length} power cuts, %s of the unsynced writes surviving, seed ${seed}`,
  async (mode) => {
    const sum = { cuts: 0, lost: 0, damaged: [] as string[] };
    // Each pass cuts another recording at every change of the disk, and lets other writes survive.
    for (let pass = 0; sum.cuts < wanted / CUT_MODES.length; pass++) {
      const { cuts, lost, damaged } = await cutPower(await recordingOf(pass), mode, { seed: seed + pass });
      sum.cuts += cuts;
      sum.lost += lost;
      sum.damaged.push(...damaged);
    }
    console.info(JSON.stringify({ mode, seed, deliveries, ...sum }));
    expect(sum).toMatchObject({ lost: 0, damaged: [] });
  },
);

test(`serve starts after ${restarts} cuts, and answers every acknowledged delivery as a duplicate`, async () => {
  const recording = await recordingOf(1);
  const every = Math.ceil(recording.steps.length / restarts);
  const figures = await cutPower(recording, 'torn', { every, seed, restart: restartServe });
  console.info(JSON.stringify({ restarts: true, seed, deliveries, ...figures }));
  expect(figures).toMatchObject({ lost: 0, damaged: [] });
});

test('a power cut at each change while the database is made leaves one that starts', async () => {
  const recording = await recordingOf(0);
  const making = { ...recording, steps: recording.steps.slice(0, MAKING) };
  for (const mode of CUT_MODES) {
    const figures = await cutPower(making, mode, { seed, restart: finishMaking });
    expect([mode, figures]).toEqual([mode, { cuts: MAKING, lost: 0, damaged: [] }]);
  }
});

test.each(Object.entries(MISTAKES))('the same with %s loses acknowledged events', async (name, patches) => {
  const mistaken = await record(deliveries, seed, patchedProgram(...patches));
  const { cuts, lost, damaged } = await cutPower(mistaken, 'none', { seed });
  console.info(JSON.stringify({ mode: 'none', mistake: name, deliveries, cuts, lost }));
  expect(damaged.filter((one) => !one.includes('"integrity":"ok"'))).toEqual([]);
  expect(lost).toBeGreaterThan(0);
});
