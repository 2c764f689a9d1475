import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { StatementLine } from '../../../../src/domain/statements/statement.ts';
import { packageFile } from '../../../../src/package-root.ts';
import { profileJsonSchema } from '../../../../src/reconcile/profile/json-schema.ts';
import { loadProfile } from '../../../../src/reconcile/profile/load.ts';
import { SAMPLES } from '../../../support/statements/samples.ts';
import { readWhole } from '../../../support/statements/statement.ts';

const folder = packageFile('templates/profiles');
const told = ({ date, type, amount, principal, reference }: StatementLine) =>
  `${date} ${type} ${amount} ${principal} ${reference ?? '-'}`;

test('every shipped profile has a sample', () => {
  const layouts = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  expect(layouts.length).toBeGreaterThanOrEqual(6);
  expect(SAMPLES.map(({ layout }) => `${layout}.yaml`).toSorted()).toEqual(layouts.toSorted());
});

test.each(SAMPLES)('$layout reads its sample', async ({ layout, content, lines, opening, closing, covers }) => {
  const profile = loadProfile(`${folder}/${layout}.yaml`);
  expect(profile.name).toBe(layout);
  const read = await readWhole(content, profile);
  expect(read.unparsed).toEqual([]);
  expect(read.lines.map(told)).toEqual(lines);
  expect(read.totals.controls).toEqual([]);
  expect(read.totals.covers).toEqual(covers);
  expect(read.totals.balances[0]).toMatchObject({ opening, closing });
});

test('times and other texts of the samples are read', async () => {
  const read = async (layout: string) => {
    const sample = SAMPLES.find((one) => one.layout === layout);
    return (await readWhole(sample?.content ?? '', loadProfile(`${folder}/${layout}.yaml`))).lines;
  };
  // Lagos is an hour ahead of UTC.
  expect((await read('utf16-tab')).map(({ atMs, sessionId, counterparty }) => [atMs, sessionId, counterparty])).toEqual(
    [
      [Date.UTC(2026, 9, 1, 8, 30), 'S-1', 'Adá'],
      [Date.UTC(2026, 9, 2, 22, 59), 'S-1', 'Adá'],
    ],
  );
  expect((await read('minor-units')).map(({ atMs, currency }) => [atMs, currency])).toEqual([
    [Date.UTC(2026, 9, 1, 8, 30), 'NGN'],
    [Date.UTC(2026, 9, 1, 23, 30), 'NGN'],
    [Date.UTC(2026, 9, 2), 'KES'],
  ]);
  expect((await read('spreadsheet')).map(({ atMs, fee }) => [atMs, fee])).toEqual([
    [null, 200n],
    [Date.UTC(2026, 9, 3, 11), null],
  ]);
  expect((await read('debit-credit-semicolon'))[0]).toMatchObject({
    valueDate: '2026-10-02',
    group: 'B-1',
    text: 'Règlement',
  });
  expect((await read('iso-signed'))[0]).toMatchObject({
    text: 'Order 1, "blue"',
    fee: 200n,
    tax: 15n,
    duty: null,
    balance: 109785n,
  });
});

test('the published JSON Schema equals the schema of the loader (update it with: npx vitest run templates -u)', async () => {
  const text = `${JSON.stringify(profileJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`${folder}/profile.schema.json`);
});

test('every setting is described for editors', () => {
  const undescribed: string[] = [];
  const visit = (node: object, path: string) => {
    const { properties = {}, description } = node as { properties?: object; description?: string };
    if (path !== '' && description === undefined) undescribed.push(path);
    for (const [name, child] of Object.entries(properties)) visit(child, `${path}.${name}`);
  };
  visit(profileJsonSchema(), '');
  expect(undescribed).toEqual([]);
});

test('every shipped profile names the layout and shows it, and no service', () => {
  for (const { layout } of SAMPLES) {
    const text = readFileSync(`${folder}/${layout}.yaml`, 'utf8');
    expect(text.startsWith('# yaml-language-server: $schema=./profile.schema.json\n# ')).toBe(true);
  }
});
