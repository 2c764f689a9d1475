import { NO_APPROVALS } from '../../src/domain/access/approval.ts';
import { STANDARD_REASONS } from '../../src/domain/exceptions/reasons.ts';
import type { ExceptionAct } from '../../src/store/exceptions.ts';
import { digestOf } from '../contract/store/importing.ts';
import type { AuditedDatabase } from './audited-database.ts';
import { FEE, FOLLOWS_OCTOBER } from './exceptions.ts';

/** The records were looked at until after everything. */
const CHECKED = {
  checkedUntil: { carriedOut: 0, asAtMs: Number.MAX_SAFE_INTEGER },
  beforeMs: Number.MAX_SAFE_INTEGER / 2,
};
const DAYS = { from: '2026-10-01', to: '2026-10-31' } as const;

/**
 * A run's exceptions, what persons and a spreadsheet did with them, a period that was closed, approved and opened again, and
 * one whose lines lost their texts.
 */
export async function fillFinance({ operations }: AuditedDatabase): Promise<void> {
  const { runs, exceptions, periods, pruning, users, approvals } = operations;
  const { run } = await runs.beginRun({
    ...{ ...DAYS, environment: 'test', account: null, asAtMs: Date.now() + 3_600_000, zone: 'Africa/Lagos' },
    ...{ cutOffMinutes: 1_440, what: 'all', rules: { name: 'standard', digest: 'standard', text: 'passes' } },
  });
  const other = { ...FEE, id: 'x-abcdef012345678901234567', reference: 'C-2' };
  await runs.keepBreaks({ run, breaks: [FEE, other] });
  await runs.finishRun({ run, report: '{}', scope: FOLLOWS_OCTOBER });
  while (!(await exceptions.follow()).done);

  const act = async (one: ExceptionAct, sheet?: { digest: string; file: string; remember: string }) => {
    const order = { acts: [one], reasons: STANDARD_REASONS, ...(sheet !== undefined && { sheet }) };
    const [result] = await exceptions.act(order);
    if (result?.outcome !== 'done') throw new Error(JSON.stringify(result));
  };
  const { id } = FEE;
  await act({ act: 'assign', id, by: 'Ada', to: 'Bob' });
  await act({ act: 'comment', id, by: 'Bob', text: 'asked the service' });
  const resolved = { reference: null, followUp: null, attachments: [], lines: [], comment: 'their mistake' } as const;
  await act({ act: 'resolve', id, by: 'Bob', resolution: 'accept', reasonCode: 'small_difference', ...resolved });
  const sheet = { digest: digestOf('sheet'), file: 'october.xlsx', remember: 'Ada' };
  await act({ act: 'import', id: other.id, by: 'Ada', assignee: 'Bob', comment: 'by the sheet' }, sheet);

  const set = { name: 'test', environment: 'test', accounts: null } as const;
  const entry = { date: '2026-10-01', source: 'movement', account: 'wallet', currency: 'NGN', reverses: null } as const;
  const line = { text: 'a sale', reference: 'C-1', subject: null };
  const lines = [
    { ...line, account: 'assets:wallet', role: 'wallet', minor: 100n },
    { ...line, account: 'sales', role: 'sales', minor: -100n },
  ] as const;
  const closed = await periods.close({
    ...{ ...DAYS, set, period: '2026-10', closing: 1, run, report: '{"report":"month"}', changes: null, by: 'Ada' },
    balances: [{ account: 'wallet', currency: 'NGN', ours: 1n, theirs: 1n }],
    journal: { by: 'day', entries: [{ ...entry, number: 1, closing: 1, lines }] },
    closedAtMs: Date.now(),
    ...CHECKED,
  });
  if (closed.outcome !== 'done') throw new Error(JSON.stringify(closed));
  const november = { from: '2026-11-01', to: '2026-11-30', period: '2026-11' };
  const shop = { name: 'shop', environment: 'test', accounts: ['wallet'] } as const;
  const locked = await periods.close({
    ...{ ...november, set: shop, closing: 1, run, report: '{"report":"month"}', changes: null, by: 'Ada' },
    ...{ balances: [], journal: { by: 'day', entries: [] }, closedAtMs: Date.now() },
    ...CHECKED,
  });
  if (locked.outcome !== 'done') throw new Error(JSON.stringify(locked));
  const erasing = { part: 'texts', beforeDay: '2026-12-01', beforeMs: 0 } as const;
  while (!(await pruning.pruneBooks(erasing)).done);
  const order = { ...DAYS, set: 'test', period: '2026-10' };
  await periods.approve({ ...order, by: 'Bob', digest: digestOf('{"report":"month"}') });
  await periods.reopen({ ...order, by: 'Ada', reason: 'a line came late' });

  // Last: from now on names are proved.
  const token = { digest: digestOf('token'), endsAtMs: Number.MAX_SAFE_INTEGER };
  const first = { ...token, digest: digestOf('the first') };
  const added = await users.add({ name: 'Root', by: 'root', roles: ['admin'], token: first });
  if (added.outcome !== 'done') throw new Error(JSON.stringify(added));

  // Two persons, one of whom asks for what needs both; a third one gave them their tokens.
  const root = operations.as({ kind: 'token', digest: first.digest });
  await root.users.add({ name: 'Ada', by: 'Root', roles: ['admin'], token });
  const ada = operations.as({ kind: 'token', digest: token.digest });
  const link = { digest: digestOf('link') };
  const grace = {
    name: 'Grace',
    by: 'Root',
    roles: ['approver'],
    token: { ...token, digest: digestOf('other') },
    link,
  } as const;
  await root.users.add(grace);
  await approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
  const asked = {
    act: 'user.roles',
    order: { name: 'Grace', roles: ['finance'] },
    by: 'Ada',
    reason: 'a test',
  } as const;
  const request = await ada.approvals.ask(asked);
  if (request.outcome !== 'done') throw new Error(JSON.stringify(request));
}
