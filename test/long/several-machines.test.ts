import { expect, test } from 'vitest';
import { workOnce } from '../support/shared-log/work-once.ts';

const seeds = Number(process.env.TALLYHOOK_MACHINE_SEEDS ?? 50);
const rounds = Number(process.env.TALLYHOOK_MACHINE_ROUNDS ?? 40);
const first = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test(`${seeds} × ${rounds} rounds of work by four machines whose clocks are hours apart, from seed ${first}`, async () => {
  const sum = { leased: 0, ended: 0, refused: 0 };
  for (let seed = first; seed < first + seeds; seed++) {
    const { leased, ended, refused, ...found } = await workOnce({ seed, rounds });
    expect({ seed, ...found }).toEqual({ seed, wrong: [], differences: [] });
    for (const [name, count] of Object.entries({ leased, ended, refused })) sum[name as keyof typeof sum] += count;
  }
  console.info(JSON.stringify({ seeds, rounds, first, ...sum }));
  expect(sum.refused).toBeGreaterThan(0);
});
