import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { entryHash, sealedEntry } from '../../../../src/domain/audit/entry.ts';
import { headSignature, headText, isSignedBy, parseHead } from '../../../../src/domain/audit/head.ts';
import { touchedDigests } from '../../../../src/domain/audit/touched.ts';
import { samePerson } from '../../../../src/domain/persons/person.ts';

const ENTRY = {
  seq: 2,
  at: '2026-11-01T09:00:00.000Z',
  who: 'Ad\u00e1',
  act: 'match.undo',
  subject: 'decision:7',
  before: null,
  after: 'ab',
  previous: 'cd',
};
const CANONICAL =
  '{"act":"match.undo","after":"ab","at":"2026-11-01T09:00:00.000Z","before":null,"previous":"cd","seq":2,"subject":"decision:7","who":"Ad\u00e1"}';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('the hash of an entry is sha256 of the canonical JSON of its other columns, in whatever order they are given', () => {
  expect(entryHash(ENTRY)).toBe(sha256(CANONICAL));
  expect(entryHash(Object.fromEntries(Object.entries(ENTRY).reverse()) as typeof ENTRY)).toBe(sha256(CANONICAL));
});

test('text that no database can keep is made well-formed before it is hashed', () => {
  const sealed = sealedEntry({ ...ENTRY, who: 'A\ud800' });
  expect(sealed.who).toBe('A\ufffd');
  expect(sealed.hash).toBe(entryHash(sealed));
});

test('the head is signed by HMAC-SHA256 with its purpose before it', () => {
  const [key, head] = [Buffer.alloc(32, 7), { seq: 2, hash: 'ef'.repeat(32) }];
  const made = createHmac('sha256', key).update(`tallyhook audit\n2:${head.hash}`).digest('hex');
  expect(headSignature(key, head)).toBe(made);
  expect(isSignedBy(key, head, made)).toBe(true);
  expect(
    isSignedBy(
      key,
      head,
      made.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    ),
  ).toBe(false);
  expect(isSignedBy(Buffer.alloc(32, 8), head, made)).toBe(false);
  expect(isSignedBy(key, head, '')).toBe(false);
});

test('a head is read as it is printed, and nothing else is a head', () => {
  const head = { seq: 812, hash: '0f'.repeat(32) };
  expect(parseHead(headText(head))).toEqual(head);
  expect(parseHead(` ${headText(head).toUpperCase()}\n`)).toEqual(head);
  for (const text of ['', '812', `0:${head.hash}`, `812:${head.hash}0`, `812:${'g'.repeat(64)}`, `-1:${head.hash}`]) {
    expect(parseHead(text)).toBeNull();
  }
});

test('the digests of an entry of many subjects depend on what they are, not on their order', () => {
  const touched = [
    { subject: 'exception:b', before: null, after: '2' },
    { subject: 'exception:a', before: '0', after: '1' },
  ];
  const expected = {
    before: '[["exception:a","0"],["exception:b",null]]',
    after: '[["exception:a","1"],["exception:b","2"]]',
  };
  expect(touchedDigests(touched)).toEqual({ before: sha256(expected.before), after: sha256(expected.after) });
  expect(touchedDigests([...touched].reverse())).toEqual(touchedDigests(touched));
});

test.each([
  ['Ada', 'ada ', true],
  ['Ad\u00e1', 'ADA\u0301', true],
  ['Ada', '\uff21\uff44\uff41', true],
  ['Ada Obi', 'ada\u00a0 OBI', true],
  ['Gro\u00df', 'GROSS', true],
  ['Ada', 'Eve', false],
])('%s and %s: one person is %s', (one, other, same) => expect(samePerson(one, other)).toBe(same));
