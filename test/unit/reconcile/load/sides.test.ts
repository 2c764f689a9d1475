import { expect, test } from 'vitest';
import type { Leg, Rules } from '../../../../src/domain/reconciling/rules.ts';
import { sidesOf } from '../../../../src/reconcile/load/sides.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

const leg = {
  name: 'records-wallet',
  ours: { records: ['collection'] },
  theirs: { statement: 'wallet', types: ['collection'] },
};
const RULES = { legs: [leg as unknown as Leg] } as unknown as Rules;

/** A file of one day of October with lines in these currencies. */
function file(day: string, currencies: readonly string[], profile = 'export') {
  const [account, date] = [{ name: 'wallet', kind: 'wallet', environment: 'test' }, `2026-10-${day}`];
  const balances = currencies.map((currency) => ({ currency, opening: null, closing: null, sum: 0n }));
  const summary = { account, balances, profile: { name: profile }, covers: { from: date, to: date }, statesDays: true };
  return summary as unknown as StatementSummary;
}

const daysOf = (wanted: string, ...files: StatementSummary[]) => {
  const side = sidesOf(RULES, files, () => []).find(({ currency }) => currency === wanted);
  return side?.days.map((day) => day.slice(-2));
};

test('a file covers its days in the currencies of its lines; without any in each of its account', () => {
  const files = [file('05', ['NGN']), file('06', ['USD'], 'dollars'), file('07', [])];
  expect(daysOf('NGN', ...files)).toEqual(['05', '07']);
  expect(daysOf('USD', ...files)).toEqual(['06', '07']);
});

test('a file by a profile whose files show several currencies covers its days in each of them', () => {
  const files = [file('05', ['NGN', 'USD']), file('06', ['USD']), file('07', ['NGN']), file('08', ['KES'])];
  expect(daysOf('NGN', ...files)).toEqual(['05', '06', '07', '08']);
  expect(daysOf('USD', ...files)).toEqual(['05', '06', '07', '08']);
  expect(daysOf('KES', ...files)).toEqual(['08']);
  expect(daysOf('NGN', ...files, file('09', ['USD'], 'dollars'))).toEqual(['05', '06', '07', '08']);
});
