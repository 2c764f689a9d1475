import { expect, test } from 'vitest';
import { type ActingBy, type Gift, mayBeSameHand } from '../../../../src/domain/access/hands.ts';

type Entry = readonly [to: string, act: Gift['act'], by: string, isApproved?: 'approved'];

/** The gifts of a chain of entries; each entry is made at the millisecond of its number. */
function chain(...entries: Entry[]) {
  const all = entries.map(([to, act, by, approved], at) => {
    const gift: Gift = { seq: at + 1, atMs: at + 1, act, by, isApproved: approved !== undefined };
    return { to, gift };
  });
  return (name: string) => all.filter(({ to }) => to === name.toLowerCase()).map(({ gift }) => gift);
}
const token = (name: string, madeAtMs: number): ActingBy => ({ kind: 'token', name, madeAtMs });
const login = (name: string, way: 'password' | 'oidc' = 'password'): ActingBy => ({ kind: 'session', name, way });

const FIRST: readonly Entry[] = [
  ['ada', 'user.add', 'root'], // 1
  ['zed', 'user.add', 'ada'], // 2
];
const SETUP: readonly Entry[] = [
  ['setup', 'user.add', 'root'], // 1
  ['ada', 'user.add', 'setup'], // 2
  ['zed', 'user.add', 'setup'], // 3
];

test.each<[string, readonly Entry[], string, ActingBy, boolean]>([
  ['a token that the first gave', FIRST, 'ada', token('zed', 2), true],
  ['the first again, who gave the second a token', FIRST, 'zed', token('ada', 1), true],
  ['a login by a link that the first gave', FIRST, 'Ada', login('zed'), true],
  ['a login elsewhere', FIRST, 'ada', login('zed', 'oidc'), false],
  ['a token made with that token', [...FIRST, ['zed', 'user.token', 'zed']], 'ada', token('zed', 3), true],
  ['a link given with that token', [...FIRST, ['zed', 'user.link', 'zed']], 'ada', login('zed'), true],
  [
    'a token of a third, who has one of the first',
    [...FIRST, ['eve', 'user.add', 'zed']],
    'ada',
    token('eve', 3),
    true,
  ],
  ['a reset', [...SETUP, ['zed', 'user.reset', 'tallyhook']], 'ada', token('zed', 4), true],
  ['a reset by an admin', [...SETUP, ['zed', 'user.reset', 'setup']], 'ada', token('zed', 4), true],
  [
    'a token made after a reset',
    [...SETUP, ['zed', 'user.reset', 'tallyhook'], ['zed', 'user.token', 'zed']],
    'ada',
    token('zed', 5),
    true,
  ],
  ['both from an admin who takes no part', SETUP, 'ada', token('zed', 3), false],
  [
    'one of two tokens, that the first did not give',
    [...SETUP, ['zed', 'user.token', 'ada']],
    'ada',
    token('zed', 3),
    false,
  ],
  [
    'a token that a second person approved',
    [...FIRST, ['zed', 'user.token', 'ada', 'approved']],
    'eve',
    token('zed', 3),
    false,
  ],
  [
    'what the giver was given only later',
    [...SETUP, ['eve', 'user.add', 'zed'], ['zed', 'user.token', 'ada']],
    'ada',
    token('eve', 4),
    false,
  ],
  [
    'what the giver had before it was ended and added again',
    [...FIRST, ['eve', 'user.add', 'zed'], ['zed', 'user.end', 'ada'], ['zed', 'user.add', 'root']],
    'ada',
    token('eve', 3),
    true,
  ],
  [
    'ended, and added again by another',
    [...FIRST, ['zed', 'user.end', 'ada'], ['zed', 'user.add', 'root']],
    'ada',
    token('zed', 4),
    false,
  ],
  ['two who gave one another tokens', [...FIRST, ['ada', 'user.token', 'zed']], 'root', token('ada', 3), true],
])('%s', (_name, entries, first, second, isSame) => {
  expect(mayBeSameHand(first, second, chain(...entries))).toBe(isSame);
});
