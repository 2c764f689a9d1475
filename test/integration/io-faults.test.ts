import { test } from 'vitest';
import { expectHarmless, IO_FAULTS, meetIoFault } from '../support/io-faults.ts';
import { seededRandom } from '../support/random.ts';
import { someOf } from '../support/random-runs.ts';

// A seeded sample; test/long/io-faults.test.ts meets each fault at several places.

const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
const random = seededRandom(seed);
const sample = ['pwrite64', 'openat'].map((wanted) => {
  const faults = IO_FAULTS.filter(({ call }) => call === wanted);
  return {
    ...(faults[Math.floor(random() * faults.length)] as (typeof faults)[number]),
    // Files are opened a few times by each thread.
    nth: 1 + Math.floor(random() * (wanted === 'openat' ? 5 : 150)),
  };
});

test.each(someOf(1, sample))(
  `$error of $call on log and database (call $nth, seed ${seed}): 200, 503 or an exit, and nothing acknowledged is lost`,
  { tags: ['strace'] },
  async ({ call, error, nth }) => {
    expectHarmless(await meetIoFault(call, error, nth));
  },
);
