import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '../../../../../src/store/error.ts';
import { answerOperations } from '../../../../../src/store/sqlite/write/answer.ts';

test.each([
  ['io', 1],
  ['corrupt', 1],
  ['busy', 0],
  ['disk_full', 0],
] as const)('an operation that fails with %s is answered, and reported as fatal %i times', async (fault, times) => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const fatal: StoreError[] = [];
  const failing = () => {
    throw new StoreError(fault, 'broken on purpose');
  };
  answerOperations(port2, failing, { onFatal: (error) => fatal.push(error) });
  port1.postMessage({ id: 7, group: 'jobs', method: 'any', input: null });
  const [answer] = await once(port1, 'message');
  expect(answer).toMatchObject({ id: 7, failure: { fault } });
  expect(fatal.map((error) => error.fault)).toEqual(Array.from({ length: times }, () => fault));
});
