import { globSync, readFileSync } from 'node:fs';
import { packageFile } from '../../src/package-root.ts';
import { seededRandom } from '../support/random.ts';
import { concernedTests } from './concerned-tests.ts';
import { Judge, TIMED_OUT } from './judge.ts';
import { describeMutant, type Mutant, mutantsOf } from './mutator.ts';
import { refusedByTypes } from './types.ts';

/** Every file that decides: the domain, with the deciders, the times of jobs, and the check of signatures. */
export const SUBJECTS = ['src/domain/**/*.ts', 'src/time/cron.ts', 'src/receive/signature.ts'];

/** The share of mutants that tests must catch: some changes make no difference. */
export const GOAL = 0.95;

/** For tests without a mutant, which must end. */
const SOUND_LIMIT_MS = 600_000;
/**
 * With a mutant, tests may take four times as long as without, and 20 s for a process that must be started again. What takes
 * longer is taken for an endless loop.
 */
const SLOWER = 4;
const START_MS = 20_000;

export interface SampleOptions {
  readonly seed: number;
  readonly count: number;
  /** Paths or patterns inside the repository; those that begin with `!` are left out, of the usual ones where no other is given. */
  readonly files?: readonly string[];
  readonly print?: (line: string) => void;
}

export interface SampleResult {
  readonly caught: number;
  /** Caught by the types alone: they do not compile, so no test is run. They are among the caught. */
  readonly byTypes: number;
  /** Caught by the time limit alone; they are among the caught. */
  readonly timedOut: number;
  /** File, line and change of each. */
  readonly survivors: readonly string[];
}

/**
 * Judges a seeded sample of the mutants of `files` by the types, then by the tests that concern each. Prints every survivor, and what
 * only the time limit caught.
 *
 * @throws Error when these tests fail without a mutant, or there is no mutant
 */
export async function judgeSample({
  seed,
  count,
  files = [],
  print = console.log,
}: SampleOptions): Promise<SampleResult> {
  const sources = new Map(pathsOf(files).map((path) => [path, readFileSync(packageFile(path), 'utf8')]));
  const mutants = sampleOf(
    [...sources].flatMap(([path, source]) => mutantsOf(path, source)),
    seed,
    count,
  );
  if (mutants.length === 0) throw new Error(`There is no mutant in ${files.join(' ')}.`);
  const testsOf = concernedTests();
  using judge = new Judge();
  /** The limits of tests that passed without a mutant: a test that fails anyway would catch everything. */
  const limitsMs = new Map<string, number>();
  const limitOf = async (tests: readonly string[]): Promise<number> => {
    const known = limitsMs.get(tests.join());
    if (known !== undefined) return known;
    const startMs = performance.now();
    const failed = await judge.failedTest({ mutant: null, tests }, SOUND_LIMIT_MS);
    if (failed !== null) throw new Error(`The tests must pass before a mutant can be judged: ${failed}`);
    const limitMs = START_MS + SLOWER * (performance.now() - startMs);
    limitsMs.set(tests.join(), limitMs);
    return limitMs;
  };
  const caughtBy = async (mutant: Mutant): Promise<string | null> => {
    for (const tests of testsOf(mutant.file)) {
      const limitMs = await limitOf(tests);
      const caught = await judge.failedTest({ mutant, tests }, limitMs);
      if (caught !== null) return caught;
    }
    return null;
  };
  const survivors: string[] = [];
  const refused = refusedByTypes(mutants, sources);
  let timedOut = 0;
  for (const mutant of mutants.filter((one) => !refused.has(one))) {
    const caught = await caughtBy(mutant);
    const shown = describeMutant(mutant, sources.get(mutant.file) ?? '');
    if (caught === TIMED_OUT) {
      timedOut++;
      print(`time limit: ${shown}`);
    } else if (caught === null) {
      survivors.push(shown);
      print(`survived: ${shown}`);
    }
  }
  return { caught: mutants.length - survivors.length, byTypes: refused.size, timedOut, survivors };
}

/** Returns the paths of `patterns`: of SUBJECTS without one that names files. */
export function pathsOf(patterns: readonly string[]): string[] {
  const leftOut = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const named = patterns.filter((pattern) => !pattern.startsWith('!'));
  const judged = named.length === 0 ? SUBJECTS : named;
  return globSync(judged, { cwd: packageFile(), exclude: leftOut }).toSorted();
}

/** Returns `count` of the mutants, in the order of their files. The same seed gives the same sample of the same sources. */
function sampleOf(mutants: readonly Mutant[], seed: number, count: number): Mutant[] {
  const random = seededRandom(seed);
  const drawn = mutants.map((mutant) => ({ mutant, at: random() })).sort((one, other) => one.at - other.at);
  const chosen = new Set(drawn.slice(0, count).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => chosen.has(mutant));
}
