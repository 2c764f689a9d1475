/** The share of its random runs that a property makes: a tenth in the suite, all of them in `npm run test:long`. */
export const SHARE_OF_RUNS = Number(process.env.TALLYHOOK_TEST_SHARE ?? 0.1);

/** How often a property is tried here, which `npm run test:long` tries `all` times. */
export const randomRuns = (all: number): number => Math.ceil(all * SHARE_OF_RUNS);

/** How much a property must have met, which meets `all` in all its runs: half in proportion, since a few runs differ more by chance. */
export const leastMet = (all: number): number => (SHARE_OF_RUNS === 1 ? all : Math.floor((all * SHARE_OF_RUNS) / 2));

/** Of cases that claim the same, the first few; `npm run test:long` tries all of them. */
export const someOf = <Case>(few: number, all: readonly Case[]): Case[] =>
  SHARE_OF_RUNS === 1 ? [...all] : all.slice(0, few);
