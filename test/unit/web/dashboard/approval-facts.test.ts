import { expect, test } from 'vitest';
import type { GuardedAct } from '../../../../src/domain/access/approval.ts';
import type { AskedOrder, KnownRequest } from '../../../../src/store/approvals.ts';
import type { Context } from '../../../../src/web/dashboard/route.ts';
import { happening } from '../../../../src/web/dashboard/screens/approval-facts.ts';

const token = { digest: 'secret digest', endsAtMs: 0 };
const days = { environment: 'test', from: '2026-10-01', to: '2026-10-31' } as const;

/** Each act with what its page must say; the compiler asks for one that is missing. */
const SAYS: { readonly [Act in GuardedAct]: [Extract<AskedOrder, { act: Act }>['order'], string[]] } = {
  replay: [{ target: 'shop', eventIds: [1, 2] }, ['shop gets news of 2 events once more', 'event 2']],
  'outbox.drop': [{ webhookIds: ['msg_1'] }, ['never gets 1 row of the outbox', 'msg_1']],
  'target.enable': [{ target: 'shop' }, ['News goes to shop again', 'Waits for it', '"count":7']],
  'statement.remove': [{ statement: 3 }, ['Its lines count no more', 'must be reconciled again']],
  'period.reopen': [
    { set: 'shop', period: '2026-10', ...days, accounts: null, reason: 'late file' } as never,
    ['Its days can change again', 'late file'],
  ],
  reveal: [{ rows: ['event:4'] }, ['personal data of 1 row whole, once', '/events/4']],
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

test.each(Object.entries(SAYS))(
  'the page of a request says what %s will do, and shows no digest',
  async (act, [order, parts]) => {
    const request = { asked: { act, order } } as unknown as KnownRequest;
    const said = JSON.stringify(await happening({ archive } as unknown as Context, request));
    for (const part of parts) expect(said).toContain(part);
    expect(said).not.toContain('secret digest');
  },
);
