import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { bookFacts } from '../../../src/jobs/book-facts.ts';
import type { LastStatement } from '../../../src/store/periods.ts';

const NOW_MS = Date.parse('2026-11-23T08:00:00Z');
const last = (account: string, statements = 2): LastStatement => ({
  ...{ environment: 'live', account, until: '2026-10-14', statements },
});

test('the next statement of an account is late, unless it has only one or was closed', async () => {
  const archive = {
    unexplained: async () => [],
    lastStatements: async () => [last('bank-main'), last('bank-new', 1), last('bank-old')],
    exceptionTotals: async () => [],
    periods: async () => [],
  };
  const { periods, ...config } = loadConfig({ env: {}, cwd: import.meta.dirname });
  const closed = { ...periods, until: { 'bank-old': '2026-10-14' } };
  const facts = await bookFacts(archive, {
    ...{ config: { ...config, periods: closed }, nowMs: NOW_MS, onWarning: () => {} },
  });
  expect(facts.missing).toEqual([{ ...last('bank-main'), days: 40 }]);
});
