import { expect, test } from 'vitest';
import { type ProofFacts, proofRefusal } from '../../../../src/domain/access/proof.ts';

const NOW = Date.UTC(2026, 9, 1);
const ada = { kind: 'token', name: 'Ada', roles: ['finance'], madeAtMs: NOW - 1, endsAtMs: NOW + 1 } as const;
const MINUTE = 60_000;
const times = { startedAtMs: NOW, seenAtMs: NOW, provenAtMs: NOW, idleMs: 30 * MINUTE, endsAtMs: NOW + 60 * MINUTE };
const inBrowser = { kind: 'session', way: 'password', name: 'Ada', roles: ['finance', 'approver'], ...times } as const;
const facts = (credential: ProofFacts['credential'], hasUsers = true): ProofFacts => ({
  hasUsers,
  credential,
  nowMs: NOW,
});

test.each([
  ['without users each name is as it is stated', 'Eve', facts('none', false), null],
  ['the program itself proves nothing', 'tallyhook', facts('none'), null],
  ['her own token', 'Ada', facts(ada), null],
  ['her own token, the name in other letters', 'ADA', facts(ada), null],
  ['no token', 'Ada', facts('none'), 'Ada has to prove who it is: no token was given.'],
  ['an unknown or ended token', 'Ada', facts('unknown'), 'The token or session is not known, or was ended.'],
  [
    'a token at its end',
    'Ada',
    facts({ ...ada, endsAtMs: NOW }),
    'The token of Ada ended at 2026-10-01T00:00:00.000Z.',
  ],
  ["another person's token", 'Bob', facts(ada), 'The token is of Ada, not of Bob.'],
  [
    'a role that may not',
    'Ada',
    facts({ ...ada, roles: ['operator', 'viewer'] }),
    'Ada (operator, viewer) may not do this: period.close needs finance.',
  ],
  ['her session', 'Ada', facts(inBrowser), null],
  [
    'a session that was not used for long',
    'Ada',
    facts({ ...inBrowser, seenAtMs: NOW - 30 * MINUTE }),
    'The session of Ada has ended.',
  ],
  ['a session at its end', 'Ada', facts({ ...inBrowser, endsAtMs: NOW }), 'The session of Ada has ended.'],
  ["another person's session", 'Bob', facts(inBrowser), 'The session is of Ada, not of Bob.'],
])('%s', (_what, who, given, message) => {
  expect(proofRefusal(who, 'period.close', given)?.message ?? null).toBe(message);
});

test.each([
  [0, null],
  [9 * MINUTE, null],
  [10 * MINUTE, 'not_fresh'],
] as const)('approving needs a proof in the session that is newer than ten minutes: %i ms', (ageMs, fault) => {
  const session = { ...inBrowser, provenAtMs: NOW - ageMs };
  expect(proofRefusal('Ada', 'period.approve', facts(session))?.fault ?? null).toBe(fault);
  expect(proofRefusal('Ada', 'period.close', facts(session))).toBeNull();
});
