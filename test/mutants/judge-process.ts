import type { Plugin } from 'vitest/config';
import { createVitest } from 'vitest/node';
import { packageFile } from '../../src/package-root.ts';
import { TOOL_TAGS } from '../support/tools.ts';
import type { Question } from './judge.ts';
import { withChange } from './mutator.ts';

/*
 * Runs unit tests on one mutant after the other, in one Vitest: each message is a Question, and each answer says whether a
 * test failed. The tests run in a thread, so the parent ends a mutant that loops for ever by ending this process.
 */

let mutant: Question['mutant'] = null;

/** Gives the tests one source file with its small change; nothing on disk changes. */
const changed: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  transform: (source, id) =>
    mutant !== null && id === packageFile(mutant.file) ? withChange(source, mutant) : undefined,
};

const vitest = await createVitest(
  {
    config: false,
    root: packageFile(),
    watch: false,
    include: ['test/unit/**/*.test.ts'],
    tags: TOOL_TAGS,
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    bail: 1,
    // The parent knows how long these tests may take: a slow machine catches no mutant.
    testTimeout: 0,
    hookTimeout: 0,
    reporters: [{}],
    silent: true,
    // It would give the module from the disk, without asking the plugin.
    fsModuleCache: false,
  },
  { plugins: [changed], logLevel: 'silent' },
);

process.on('message', async (question: Question) => {
  if (mutant !== null) vitest.invalidateFile(packageFile(mutant.file));
  mutant = question.mutant;
  if (mutant !== null) vitest.invalidateFile(packageFile(mutant.file));
  process.send?.(await failedTest(question.tests));
});
process.on('disconnect', () => process.exit());

/** Returns the name of a failed test or file, or null when all of them passed. */
async function failedTest(paths: readonly string[]): Promise<string | null> {
  const project = vitest.getRootProject();
  const specifications = paths.map((path) => project.createSpecification(packageFile(path)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const run = testModules.filter((module) => specifications.some(({ moduleId }) => moduleId === module.moduleId));
  const failed = run.find((module) => !module.ok());
  const [test] = failed?.children.allTests('failed') ?? [];
  if (failed !== undefined) return `${failed.relativeModuleId}${test === undefined ? '' : ` > ${test.fullName}`}`;
  if (unhandledErrors.length > 0) return 'an error outside of a test';
  if (run.length !== paths.length || run.some((module) => module.state() !== 'passed'))
    throw new Error(`Not every test file ran: ${paths.join(' ')}`);
  return null;
}
