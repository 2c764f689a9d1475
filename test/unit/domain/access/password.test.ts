import { expect, test } from 'vitest';
import { HASH_COST, hashText, parseHash, passwordProblem } from '../../../../src/domain/access/password.ts';

test.each([
  ['correct horse battery staple', null],
  ['Ein Satz, den ich mir merke', null],
  ['zxcvbnm is my keyboard', null],
  ['ada likes long walks', null],
  ['пароль из четырёх слов', null],
  ['short one', /^has 9 characters; 12 are needed/],
  ['x'.repeat(201), /^has 201 characters; 200 are allowed/],
  ['aaaaaaaaaaaaaa', /different characters/],
  ['abcabcabcabcabc', /different characters|repeats/],
  ['hunter2hunter2hunter2', /repeats one piece/],
  ['123456789012345', /walks along/],
  ['qwertyuiopasdfghjkl', /walks along/],
  ['abcd4567kx!zq', /walks along/], // from its first character on
  ['lkjhgfdsa0987654321', /walks along/],
  ['tallyhook12345', /name of the program/],
  ['Grace Hopper 1', /your name/],
  ['GRACE HOPPER!!', /your name/],
])('%j as a new password', (password, problem) => {
  const found = passwordProblem(password, 'Grace Hopper');
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});

const hash = { ...HASH_COST, salt: new Uint8Array(16).fill(7), hash: new Uint8Array(32).fill(9) };

test('a hash comes back from its text with everything that making it again needs', () => {
  const text = hashText(hash);
  expect(text).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const parsed = parseHash(text);
  expect(parsed).toMatchObject(HASH_COST);
  expect([...(parsed?.salt ?? [])]).toEqual([...hash.salt]);
  expect([...(parsed?.hash ?? [])]).toEqual([...hash.hash]);
});

test.each([
  '',
  'plain',
  '$argon2i$v=19$m=32768,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
])('%j is no hash', (text) => expect(parseHash(text)).toBeNull());

test('a hash of 256 MiB is one of ours, and none of more', () => {
  const asking = (memoryKib: number) => parseHash(hashText({ ...hash, memoryKib }))?.memoryKib ?? null;
  expect([asking(262_144), asking(262_145)]).toEqual([262_144, null]);
});

test.each([
  ['memory of a gigabyte', { memoryKib: 1_048_576 }],
  ['a hundred passes', { passes: 99 }],
  ['no pass', { passes: 0 }],
  ['hardly any memory', { memoryKib: 4 }],
])('a hash in the books that asks for %s was not written by us', (_what, cost) => {
  expect(parseHash(hashText({ ...hash, ...cost }))).toBeNull();
});
