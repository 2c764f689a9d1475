import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Forwarded } from '../../../src/forward/forwarder.ts';
import { AttemptLog } from '../../../src/forward/log-attempt.ts';

const ended = (over: Partial<Forwarded>): Forwarded =>
  ({
    row: {
      webhookId: 'w1',
      target: 'shop',
      attempt: 1,
      kind: 'refund',
      environment: 'test',
      type: 'x',
      reference: 'R',
    },
    ...{ state: 'waiting', outcome: 'unreachable', status: null, tookMs: 1 },
    ...over,
  }) as Forwarded;

test('of attempts that fail alike the first has a line, then one a minute with the number of the others', () => {
  const lines: { msg: string; more?: number }[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const clock = { ms: 0 };
  const log = new AttemptLog(pino({ level: 'info' }, stream), () => clock.ms);
  for (let n = 0; n < 10_000; n++) {
    clock.ms = n * 15; // 150 s
    log.write(ended({}));
  }
  log.write(ended({ outcome: 'timeout' })); // fails otherwise
  log.write(ended({ state: 'delivered', outcome: 'delivered' }));
  log.write(ended({}));
  expect(lines.map(({ msg, more }) => [msg, more])).toEqual([
    ['news not forwarded; it is tried again', undefined],
    ['news not forwarded; it is tried again', 3_999],
    ['news not forwarded; it is tried again', 3_999],
    ['news not forwarded; it is tried again', undefined],
    ['the target takes news again; more attempts had failed', 1_999],
    ['news not forwarded; it is tried again', undefined],
  ]);
});

test('errors of the application in this process that differ have a line with a stack each, however soon after another', () => {
  const lines: { err: { message: string; stack: string } }[] = [];
  const log = new AttemptLog(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }), () => 0);
  const lost = (order: number) => new Error(`the database lost order ${order}`);
  const typo = () => new TypeError('shop.pay is not a function');
  for (let n = 0; n < 1_000; n++) log.write(ended({ outcome: 'rejected', error: n === 500 ? typo() : lost(n) }));
  expect(lines.map(({ err }) => err.message)).toEqual(['the database lost order 0', 'shop.pay is not a function']);
  expect(lines[1]?.err.stack).toMatch(/^TypeError: .*\n {4}at typo/);
});
