import { expect, test } from 'vitest';
import type { GuardedAct } from '../../../src/domain/access/approval.ts';
import { happeningOf } from '../../../src/lists/happening.ts';
import type { AskedOrder } from '../../../src/store/approvals.ts';

const token = { digest: 'secret digest', endsAtMs: 0 };
const days = { environment: 'test', from: '2026-10-01', to: '2026-10-31' } as const;

/** Each act with what page and command must say; the compiler asks for one that is missing. */
const SAYS: { readonly [Act in GuardedAct]: [Extract<AskedOrder, { act: Act }>['order'], string[]] } = {
  replay: [{ target: 'shop', eventIds: [1, 2] }, ['shop gets news of 2 events once more']],
  'outbox.drop': [{ webhookIds: ['msg_1'] }, ['never gets 1 row of the outbox']],
  'target.enable': [{ target: 'shop' }, ['News goes to shop again', 'Waits for it', '7']],
  'statement.remove': [{ statement: 3 }, ['Its lines count no more', 'must be reconciled again']],
  'period.reopen': [
    { set: 'shop', period: '2026-10', ...days, accounts: null, reason: 'late file' } as never,
    ['Its days can change again', 'late file'],
  ],
  reveal: [{ rows: ['event:4'] }, ['personal data of 1 row whole, once']],
  'user.add': [{ name: 'Eve', roles: ['finance'], token }, ['Eve may act', 'finance']],
  'user.roles': [{ name: 'Ben', roles: ['admin'] }, ['sessions of it end', 'viewer', 'admin']],
  'user.token': [{ name: 'Ben', token }, ['acts as Ben on the command line', 'good until', 'viewer']],
  'user.link': [{ name: 'Ben', link: { digest: 'secret digest' } }, ['sets password and phone of Ben', 'viewer']],
  'user.end': [{ name: 'Ben' }, ['login, sessions and tokens end', 'viewer']],
};

const archive = {
  targets: async () => [{ name: 'shop', states: { waiting: 4, failing: 3, dead: 1 } }],
  statement: async () => null,
  countMatches: async () => 0,
  period: async () => null,
  users: async () => [{ name: 'Ben', roles: ['viewer'], endedAtMs: null }],
};

test.each(Object.entries(SAYS))('a request says what %s will do, and no digest', async (act, [order, parts]) => {
  const { text, facts } = await happeningOf(archive as never, { act, order } as unknown as AskedOrder);
  const said = [text, ...facts.flatMap(({ name, value }) => [name, String(value(null))])].join('\n');
  for (const part of parts) expect(said).toContain(part);
  expect(said).not.toContain('secret digest');
});
