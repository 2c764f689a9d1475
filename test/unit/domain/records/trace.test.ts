import { expect, test } from 'vitest';
import { traceOf } from '../../../../src/domain/records/trace.ts';

test('the trace of a record is twelve hex digits, the same in every process and release', () => {
  expect(traceOf('test', 'refund', 'TX_1')).toBe('e8a30164f720');
});

test('records that differ in environment, kind or reference have their own traces', () => {
  const traces = [
    traceOf('test', 'refund', 'TX_1'),
    traceOf('live', 'refund', 'TX_1'),
    traceOf('test', 'payout', 'TX_1'),
    traceOf('test', 'refund', 'TX_2'),
  ];
  expect(new Set(traces).size).toBe(4);
});
