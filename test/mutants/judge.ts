import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { FLAGS_OF_KEPT_CODE } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import type { Mutant } from './mutator.ts';

/** Null as mutant: the sources as they are. */
export interface Question {
  readonly mutant: Mutant | null;
  readonly tests: readonly string[];
}

/** The answer about tests that did not end within their limit. */
export const TIMED_OUT = 'time limit';

/** Runs unit tests on mutants, in one process as long as none of them loops for ever. */
export class Judge implements Disposable {
  #child: ChildProcess | null = null;

  /** Returns the name of a failed test, TIMED_OUT, or null when all tests passed. */
  async failedTest(question: Question, limitMs: number): Promise<string | null> {
    this.#child ??= this.#start();
    const child = this.#child;
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const answered = new AbortController();
    const { signal } = answered;
    child.send(question);
    const answer = once(child, 'message', { signal }).then(([name]: (string | null)[]) => name ?? null);
    const end = once(child, 'exit', { signal }).then(([code, killedBy]) => {
      this.#child = null;
      if (killedBy === 'SIGKILL') return TIMED_OUT;
      throw new Error(`The process that runs the tests ended with ${code ?? killedBy}.`);
    });
    try {
      return await Promise.race([answer, end]);
    } finally {
      clearTimeout(timer);
      answered.abort();
      await Promise.allSettled([answer, end]);
    }
  }

  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    // Run from a test, the variables of that Vitest would reach this one.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^VITEST|^(?:NODE_ENV|TEST)$/.test(name)),
    );
    return fork(packageFile('test/mutants/judge-process.ts'), {
      cwd: packageFile(),
      env,
      execArgv: FLAGS_OF_KEPT_CODE,
    });
  }
}
