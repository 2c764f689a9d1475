import { GOAL, judgeSample } from './sample.ts';

/*
 * `npm run test:mutants -- [FILE | !FILE …]`: judges a sample of small changes of the code that decides, prints those that no test
 * sees, and ends with 1 when fewer than 95 % are caught. TALLYHOOK_TEST_SEED (1) chooses the sample, TALLYHOOK_MUTANTS (200) its size.
 */

const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
const count = Number(process.env.TALLYHOOK_MUTANTS ?? 200);
const files = process.argv.slice(2);

const { caught, byTypes, timedOut, survivors } = await judgeSample({ seed, count, files });
const total = caught + survivors.length;
const share = caught / total;
console.log(
  `seed ${seed}: ${caught} of ${total} mutants caught (${(100 * share).toFixed(1)} %), ${byTypes} of them by the types and ${timedOut} by the time limit; ${survivors.length} survived`,
);
process.exitCode = share >= GOAL ? 0 : 1;
