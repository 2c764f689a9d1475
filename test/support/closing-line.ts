import type { Reporter, TestModule } from 'vitest/node';
import { leftOutLine } from './tools.ts';

/** Ends every run with one plain line, `N passed, N failed, N skipped`; before it, where tools are missing, what was left out. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    const tagsOfSkipped: string[][] = [];
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()]; // a hook of a suite may fail, too
      count.failed += suites.filter((suite) => suite.errors().length > 0).length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state]++;
        if (state === 'skipped') tagsOfSkipped.push(test.tags);
      }
    }
    const leftOut = process.env.CI === 'true' ? null : leftOutLine(tagsOfSkipped);
    process.once('exit', () => {
      if (leftOut !== null) console.log(leftOut);
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
    });
  }
}
