import { afterAll, afterEach, expect } from 'vitest';
import { takeProblems } from './answer-problems.ts';
import './checked-sandbox.ts';
import './kept-threads.ts';
import { killProcessesOfFile } from './processes.ts';

// Before every file of test/integration/ and test/conformance/. Modules live as long as their worker, for many files; what
// a file leaves is taken up here after each of them.
afterAll(killProcessesOfFile);

/** No sandbox that the test started answered otherwise than docs/openapi.yaml says. */
afterEach(() => {
  expect(takeProblems()).toEqual([]);
});
