import { expect, test } from 'vitest';
import { type ProofFacts, proofRefusal } from '../../../../src/domain/access/proof.ts';

const NOW = Date.UTC(2026, 9, 1);
const ada = { name: 'Ada', roles: ['finance'], endsAtMs: NOW + 1 } as const;
const facts = (token: ProofFacts['token'], hasUsers = true): ProofFacts => ({ hasUsers, token, nowMs: NOW });

test.each([
  ['without users each name is as it is stated', 'Eve', facts('none', false), null],
  ['the program itself proves nothing', 'tallyhook', facts('none'), null],
  ['her own token', 'Ada', facts(ada), null],
  ['her own token, the name in other letters', 'ADA', facts(ada), null],
  ['no token', 'Ada', facts('none'), 'Ada has to prove who it is: no token was given.'],
  ['an unknown or ended token', 'Ada', facts('unknown'), 'The token is not known, or was ended.'],
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
])('%s', (_what, who, given, message) => {
  expect(proofRefusal(who, 'period.close', given)?.message ?? null).toBe(message);
});
