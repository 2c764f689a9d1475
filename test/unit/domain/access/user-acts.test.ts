import { expect, test } from 'vitest';
import type { User } from '../../../../src/domain/access/proof.ts';
import type { Role } from '../../../../src/domain/access/roles.ts';
import {
  addRefusal,
  changeRefusal,
  type UserRefusal,
  unseenRolesRefusal,
} from '../../../../src/domain/access/user-acts.ts';

const ada: User = { name: 'ada', roles: ['admin', 'viewer'] };
const ben: User = { name: 'ben', roles: ['finance'] };
const cem: User = { name: 'cem', roles: ['admin'] };
const facts = (found: User | null, ...all: User[]) => ({ all, found, name: found?.name ?? 'zoe' });
const refused = (reason: UserRefusal['reason'], message: string, hint: string): UserRefusal => ({
  reason,
  message,
  hint,
});
const noAdmin = (message: string) =>
  refused('last_admin', message, 'Without an admin no user can be added or ended: --role admin');
const unknown = refused('unknown', 'zoe is no user.', 'See: tallyhook users list');
const changed = refused(
  'changed',
  'The roles of ada are others than you looked at: admin, viewer.',
  'Look at them once more, then change them.',
);

test.each<[string, UserRefusal | null, UserRefusal | null]>([
  ['the first one as an admin', addRefusal(facts(null), ['viewer', 'admin']), null],
  ['the first one without', addRefusal(facts(null), ['viewer']), noAdmin('The first user has to be an admin.')],
  ['another one', addRefusal(facts(null, ada), ['viewer']), null],
  [
    'one that is there',
    addRefusal(facts(ada, ada), ['viewer']),
    refused(
      'known',
      'ada is a user already (admin, viewer).',
      'To change the roles: tallyhook users roles ada --role ROLE',
    ),
  ],
])('adding %s', (_what, refusal, expected) => expect(refusal).toEqual(expected));

test.each<[string, User | null, User[], Role[], UserRefusal | null]>([
  ['the last admin gets another role beside', ada, [ada, ben], ['admin'], null],
  ['the last admin gets another role', ada, [ada, ben], ['viewer'], noAdmin('ada is the last admin.')],
  ['the last admin ends', ada, [ada], [], noAdmin('ada is the last admin.')],
  ['one of two admins ends', ada, [ada, ben, cem], [], null],
  ['another one ends', ben, [ada, ben], [], null],
  ['one that is not there', null, [ada], ['viewer'], unknown],
])('%s', (_what, found, all, roles, expected) => expect(changeRefusal(facts(found, ...all), roles)).toEqual(expected));

test.each<[string, User | null, Role[] | undefined, UserRefusal | null]>([
  ['the same, in any order', ada, ['viewer', 'admin'], null],
  ['fewer', ada, ['admin'], changed],
  ['more', ada, ['admin', 'viewer', 'finance'], changed],
  ['none were looked at', ada, undefined, null],
  ['of one that is not there', null, ['admin'], null],
])('roles that were looked at before they are changed: %s', (_what, found, seen, expected) =>
  expect(unseenRolesRefusal(facts(found), seen)).toEqual(expected),
);
