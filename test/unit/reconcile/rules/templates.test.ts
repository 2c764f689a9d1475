import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { feeSchedule } from '../../../../src/domain/money/fee-schedule.ts';
import { PASSES } from '../../../../src/domain/reconciling/rules.ts';
import { packageFile } from '../../../../src/package-root.ts';
import { rulesJsonSchema } from '../../../../src/reconcile/rules/json-schema.ts';
import { loadRules } from '../../../../src/reconcile/rules/load.ts';
import { rulesOf } from '../../../support/rules.ts';

const folder = packageFile('templates/rules');
const text = readFileSync(`${folder}/standard.yaml`, 'utf8');

test('the standard rules have the six legs, without tolerance, due as documented', async () => {
  const rules = await loadRules();
  const shown = rules.legs.map(({ name, ours, theirs, due, compare }) => {
    expect(compare).toEqual({ fee: { minor: 0n }, tax: { minor: 0n }, duty: { minor: 0n } });
    expect(due.statuses).toEqual({});
    return [name, ours, theirs.statement, due.default];
  });
  const all = { records: ['collection', 'refund', 'payout'] };
  expect(shown).toEqual([
    ['records-wallet', all, 'wallet', { business_day: 1 }],
    ['records-ledger', all, 'ledger', { business_day: 3 }],
    ['records-settlement', { ...all, optional: ['refund', 'payout'] }, 'settlement', { business_day: 2 }],
    ['batch-wallet', { batches: 'settlement' }, 'wallet', { business_day: 1 }],
    ['batch-bank', { batches: 'settlement' }, 'bank', { business_day: 1 }],
    ['topup-bank', { topUps: 'wallet' }, 'bank', { business_day: 1 }],
  ]);
  expect(rules).toMatchObject({ name: 'standard', cutOffMinutes: null, schedule: [], text });
  expect(rules.holidays).toEqual(new Set());
  expect(rules.digest).toBe(createHash('sha256').update(text).digest('hex'));
});

test('the example of a schedule works without its comment signs', async () => {
  const [before, commented] = text.split('# schedule:\n') as [string, string];
  const example = commented.replace('\nschedule: []', '').replaceAll(/^# ?/gm, '');
  const rules = await rulesOf(`${before}schedule:\n${example}`);
  expect(rules.schedule).toEqual([
    {
      from: '2026-01-01',
      to: '2026-12-31',
      kind: 'collection',
      channel: 'card',
      currency: 'NGN',
      percent: '1.5',
      fixed: 10000n,
      minimum: 0n,
      cap: 200000n,
      rounding: 'half_up',
      tax: { percent: '7.5' },
      duty: null,
    },
    {
      from: '2026-01-01',
      to: null,
      kind: 'payout',
      channel: null,
      currency: 'NGN',
      percent: '0',
      fixed: 2500n,
      minimum: null,
      cap: null,
      rounding: 'half_up',
      tax: { percent: '7.5' },
      duty: { threshold: 1000000n, amount: 5000n, bearer: 'merchant' },
    },
  ]);
});

test('the schedule of the documentation charges what it says', async () => {
  const docs = readFileSync(packageFile('docs/reconciliation.md'), 'utf8');
  const [, example] = /```yaml\n(schedule:\n.*?)```/s.exec(docs) ?? [];
  const { schedule } = await rulesOf(text.replace('\nschedule: []', `\n${example}`));
  const charged = (kind: 'collection' | 'payout', amount: bigint) => {
    const tariff = feeSchedule(schedule)({
      kind,
      channel: kind === 'payout' ? null : 'card',
      currency: 'NGN',
      day: '2026-05-14',
    });
    const fee = tariff?.feeOn(amount) ?? 0n;
    return [fee, tariff?.taxOn(fee), tariff?.dutyOn(amount)];
  };
  expect(charged('collection', 100_000n)).toEqual([11_500n, 863n, null]);
  expect(charged('collection', 20_000_000n)).toEqual([200_000n, 15_000n, null]);
  expect(charged('payout', 1_000_000n)).toEqual([2_500n, 188n, 5_000n]);
});

test('the documentation names every leg and pass', () => {
  const docs = ['docs/reconciliation.md', 'docs/matching.md']
    .map((page) => readFileSync(packageFile(page), 'utf8'))
    .join();
  const named = (name: string) => docs.includes(`| \`${name}\` |`);
  expect(PASSES.filter((pass) => !named(pass))).toEqual([]);
  expect([...text.matchAll(/^ {2}- name: (\S+)/gm)].map(([, leg]) => leg).filter((leg) => !named(leg ?? ''))).toEqual(
    [],
  );
});

test('the published JSON Schema equals the schema of the loader (update it with: npx vitest run templates -u)', async () => {
  const schema = `${JSON.stringify(rulesJsonSchema(), null, 2)}\n`;
  await expect(schema).toMatchFileSnapshot(`${folder}/rules.schema.json`);
});

test('every setting is described for editors', () => {
  const undescribed: string[] = [];
  const visit = (node: object, path: string, isSetting: boolean) => {
    const {
      properties = {},
      items,
      anyOf = [],
      description,
    } = node as Partial<Record<'properties' | 'items', object>> & {
      anyOf?: object[];
      description?: string;
    };
    if (isSetting && description === undefined) undescribed.push(path);
    for (const [name, child] of Object.entries(properties)) visit(child, `${path}.${name}`, true);
    for (const child of [...(items === undefined ? [] : [items]), ...anyOf]) visit(child, `${path}[]`, false);
  };
  visit(rulesJsonSchema(), '', false);
  expect(undescribed).toEqual([]);
});
