import { parseArgs } from 'node:util';
import { readEvent } from '../src/domain/events/event.ts';
import { NumberToken } from '../src/domain/events/json.ts';
import { statedOfEvent } from '../src/domain/events/stated.ts';
import { AmountError, parseAmount, parseAmountToken } from '../src/domain/money/amount.ts';
import type { Observation } from '../src/domain/records/observation.ts';
import { fold } from '../src/domain/records/observe.ts';
import { digits, table } from './table.ts';

// Time that the most costly input takes (docs/performance.md). test/unit/domain proves that each input is handled at all.

export const INPUT_USAGE = `npm run bench -- input [options]
  --json             results as JSON`;

interface Cost {
  readonly input: string;
  readonly atMostMs: number;
  readonly run: () => void;
}

const ROUNDS = 5;
const DIGITS = 1_000_000;

/** Measures every input. Sets exit code 1 when one takes longer than its limit. */
export async function benchInput(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
  const results = (await costs()).map(({ input, atMostMs, run }) => ({ input, ms: bestMs(run), atMostMs }));
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else console.log(text(results));
  if (results.some(({ ms, atMostMs }) => ms >= atMostMs)) process.exitCode = 1;
}

async function costs(): Promise<Cost[]> {
  const { HOSTILE_BODIES } = await import('../test/support/hostile-bodies.ts'); // 25 MiB that no other bench needs
  const bodies = HOSTILE_BODIES.map(([name, text]) => {
    const body = Buffer.from(text);
    return {
      input: `a body of 1 MiB: ${name}`,
      atMostMs: 50,
      run: () => void statedOfEvent(readEvent(body, 'test'), 'Africa/Lagos'),
    };
  });
  const set = conflicting(5_000);
  return [
    ...bodies,
    {
      input: '5,000 webhooks of one refund, each with another amount',
      atMostMs: 500,
      run: () => void fold('refund', set),
    },
    { input: '1,000 times 1e999999999, and three amounts of a million digits', atMostMs: 500, run: refuseAmounts },
  ];
}

function conflicting(count: number): Observation[] {
  return Array.from({ length: count }, (_, n) => {
    const data = `{"refund_reference":"R","status":"pending","amount":"${1_000 + n}"}`;
    const stated = statedOfEvent(readEvent(Buffer.from(`{"event":"refund.pending","data":${data}}`), 'test'), 'UTC');
    if (stated === null) throw new Error('no observation in the body of a webhook');
    return { witness: 'webhook', identity: `${n}`, eventKey: 'one', answer: null, stated };
  });
}

function refuseAmounts(): void {
  const manyDigits = '7'.repeat(DIGITS);
  for (let round = 0; round < 1_000; round++) refuse(() => parseAmountToken(new NumberToken('1e999999999')));
  refuse(() => parseAmountToken(new NumberToken(`1e${'9'.repeat(DIGITS)}`)));
  refuse(() => parseAmountToken(new NumberToken(manyDigits)));
  refuse(() => parseAmount(manyDigits));
}

/** The shortest of five runs, which other programs on the machine disturb least. */
function bestMs(run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now();
    run();
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

function refuse(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (error instanceof AmountError) return;
    throw error;
  }
  throw new Error('an amount was accepted that is none');
}

function text(results: readonly { input: string; ms: number; atMostMs: number }[]): string {
  return table(
    ['input', 'ms, best of five', 'at most'],
    results.map(({ input, ms, atMostMs }) => [input, digits(ms), String(atMostMs)]),
  );
}
