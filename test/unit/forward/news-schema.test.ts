import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RECORD_FIELDS } from '../../../src/domain/events/stated.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { EXAMPLE_TYPES, exampleNews } from '../../../src/forward/example-news.ts';
import { newsSchema } from '../../../src/forward/news-schema.ts';
import { packageFile } from '../../../src/package-root.ts';
import { newsProblems } from '../../support/news-schema.ts';

const MOMENTS = ['confirmed', 'received'] as const;
const examples = MOMENTS.flatMap((when) =>
  EXAMPLE_TYPES[when].map((type) => [when, type, exampleNews('msg_1', type, when)] as const),
);

test('the published schema equals the one made from the tables (update it with: npx vitest run news-schema -u)', async () => {
  await expect(`${JSON.stringify(newsSchema(), null, 2)}\n`).toMatchFileSnapshot(packageFile('docs/news.schema.json'));
});

test('each example agrees with the schema, and has no member that it does not name', () => {
  for (const [when, type, news] of examples) expect([when, type, newsProblems(news)]).toEqual([when, type, []]);
});

test('what no news can be is refused: a number for an amount, a missing n, another kind, a test about a record', () => {
  const [refund] = examples
    .filter(([, type]) => type === 'refund.success')
    .map(([, , news]) => news as never as object);
  const wrong = [
    { ...refund, n: null },
    { ...refund, kind: 'payout' },
    { ...refund, type: 'tallyhook.test' },
    { ...refund, data: null },
    { ...refund, confirmed: null },
    { ...refund, findings: 'tie' },
    JSON.parse(JSON.stringify(refund).replace('"amount":"50.00"', '"amount":50')),
  ];
  expect(wrong.map((news) => newsProblems(news).length > 0)).toEqual(wrong.map(() => true));
});

test('a status, a finding and a member that a later version adds are no reason to refuse', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(newsSchema());
  const refund = examples.find(([, type]) => type === 'refund.success')?.[2];
  const later = { ...refund, type: 'refund.parked', confirmed: 'parked', findings: ['odd'], added: 1 };
  expect([validate(later), validate.errors]).toEqual([true, null]);
});

test('docs/forwarding.md shows the example of a refund, and names every field of data', () => {
  const page = readFileSync(packageFile('docs/forwarding.md'), 'utf8');
  const shown = /```json\n(\{[\s\S]*?)\n```/.exec(page)?.[1] ?? '';
  expect(JSON.parse(shown)).toEqual({
    ...exampleNews('msg_1', 'refund.success', 'confirmed'),
    id: JSON.parse(shown).id,
  });
  for (const kind of RECORD_KINDS) {
    const row = new RegExp(`^\\| ${kind} \\|(.*)$`, 'm').exec(page)?.[1] ?? '';
    const named = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const { facts, details, times } = RECORD_FIELDS[kind];
    expect(named).toEqual([facts, details, times].flatMap(Object.keys));
  }
});

test('docs/asyncapi.yaml has a message for each part of the schema, with an example that agrees', () => {
  const page = parse(readFileSync(packageFile('docs/asyncapi.yaml'), 'utf8'));
  const { messages } = page.channels.news;
  const parts = Object.values<{ payload: { $ref: string } }>(messages).map(({ payload }) => payload.$ref);
  const named = (newsSchema().oneOf as { $ref: string }[]).map(({ $ref }) => `./news.schema.json${$ref}`);
  expect(parts).toEqual(named);
  for (const [name, { payload, examples: given }] of Object.entries<{
    payload: { $ref: string };
    examples: { payload: object }[];
  }>(messages)) {
    expect(given.length, name).toBeGreaterThan(0);
    const part = payload.$ref.replace('./news.schema.json#/$defs/', '');
    for (const { payload: news } of given) expect([name, newsProblems(news, part)]).toEqual([name, []]);
  }
});
