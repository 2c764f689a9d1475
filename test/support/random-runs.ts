/** The share of its random runs that a property makes: all of them in `npm test`, a tenth in `npm run test:unit`. */
export const SHARE_OF_RUNS = Number(process.env.TALLYHOOK_TEST_SHARE ?? 1);

/** How often a property is tried here, which `npm test` tries `all` times. */
export const randomRuns = (all: number): number => Math.ceil(all * SHARE_OF_RUNS);

/** How much a property must have met, which meets `all` in `npm test`: half in proportion, since a few runs differ more by chance. */
export const leastMet = (all: number): number => (SHARE_OF_RUNS === 1 ? all : Math.floor((all * SHARE_OF_RUNS) / 2));
