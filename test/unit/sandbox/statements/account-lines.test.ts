import fc from 'fast-check';
import { expect, it } from 'vitest';
import { balancesOf } from '../../../../src/sandbox/business/balances.ts';
import { accountStatement } from '../../../../src/sandbox/statements/account-lines.ts';
import { settlementStatement } from '../../../../src/sandbox/statements/settlement-lines.ts';
import { closingOf, type Span } from '../../../../src/sandbox/statements/statement.ts';
import { money } from '../../../../src/sandbox/world/money.ts';
import { CURRENCIES } from '../../../../src/sandbox/world/records.ts';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';
import { type Step, step, TriedWorld } from '../../../support/sandbox-world.ts';

const dayOf = (day: number) => new Date(Date.UTC(2025, 11, 31) + day * 86_400_000).toISOString().slice(0, 10);
const [FIRST, LAST] = [dayOf(0), dayOf(500)];

it('opening and lines make closing for every account and any days, and the nets of each batch its credit at the bank', async () => {
  let lines = 0;
  let batches = 0;
  const days = fc
    .array(fc.nat(90), { minLength: 2, maxLength: 4 })
    .map((some) => [...new Set(some)].sort((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), days, async (steps, cuts) => {
      const tried = new TriedWorld({ settlementBatches: 'daily', feeTaxPercent: '7.5' });
      for (const one of [...steps, { do: 'advance', minutes: 5_000 } satisfies Step]) await tried.take(one);
      for (const view of balancesOf(tried.world, tried.scope)) {
        const wallets = Object.entries(view.wallets).map(
          ([wallet, held]) => ({ kind: 'wallet', wallet, held }) as const,
        );
        const accounts = [
          ...wallets.map((one) => ({ ...one, held: money(one.held) })),
          { kind: 'wallet', wallet: null, held: money(view.available) + money(view.pending) },
          { kind: 'bank', wallet: null, held: money(view.bank) },
        ] as const;
        for (const { kind, wallet, held } of accounts) {
          const span: Span = {
            ...{ kind, wallet, currency: view.currency, merchantId: 'm1', environment: 'test' },
            ...{ from: FIRST, to: LAST, zone: 'UTC' },
          };
          const whole = accountStatement(tried.world, span);
          expect(whole.opening).toBe(0n);
          expect(closingOf(whole)).toBe(held);
          lines += whole.lines.length;
          // cut into consecutive days: each part opens where the one before it closed
          let from = FIRST;
          let closing = 0n;
          const seen = [];
          for (const to of [...cuts.map(dayOf), LAST]) {
            const part = accountStatement(tried.world, { ...span, from, to });
            expect(part.opening).toBe(closing);
            closing = closingOf(part);
            seen.push(...part.lines);
            from = dayOf((Date.parse(to) - Date.parse(FIRST)) / 86_400_000 + 1);
          }
          expect(closing).toBe(held);
          expect(seen).toEqual(whole.lines);
        }
      }
      for (const currency of CURRENCIES) {
        const span = {
          currency,
          merchantId: 'm1',
          environment: 'test',
          wallet: null,
          from: FIRST,
          to: LAST,
          zone: 'UTC',
        } as const;
        const nets = new Map<string, bigint>();
        for (const { group, amount, gross, fee, tax } of settlementStatement(tried.world, {
          ...span,
          kind: 'settlement',
        }).lines) {
          expect(gross - fee - tax).toBe(amount);
          nets.set(group, (nets.get(group) ?? 0n) + amount);
        }
        const credits = accountStatement(tried.world, { ...span, kind: 'bank' }).lines.filter(
          ({ type }) => type === 'settlement',
        );
        expect([...nets]).toEqual(credits.map(({ reference, amount }) => [reference, amount]));
        batches += credits.length;
      }
      tried.world.close();
    }),
    { numRuns: randomRuns(120) },
  );
  expect(lines).toBeGreaterThan(leastMet(2_000));
  expect(batches).toBeGreaterThan(leastMet(80));
});
