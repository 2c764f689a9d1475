import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { fork } from '../support/processes.ts';
import { TwoPersons } from '../support/two-persons.ts';

/* kill -9 at each step of two persons: what was asked stays asked, what was approved stays approved, and the act is done once or not. */

const world = new TwoPersons();
beforeAll(() => world.fill());
afterAll(() => world.remove());

const { database } = world.audited.db;
const isDisabled = () =>
  database.prepare("SELECT disabled_at IS NOT NULL FROM forward_targets WHERE name = 'shop'").pluck().get() === 1;
const latest = () =>
  database
    .prepare<[], { id: number; state: string }>(
      "SELECT id, state FROM approvals WHERE act = 'target.enable' ORDER BY id DESC LIMIT 1",
    )
    .get();
const uses = (id: number) =>
  database
    .prepare<[string], number>("SELECT count(*) FROM audit_entries WHERE act = 'approval.use' AND subject = ?")
    .pluck()
    .get(`approval:${id}`);

const STEPS = ['begins', 'asked', 'approved', 'done'] as const;

test.each(STEPS)('killed once it %s', async (step) => {
  database.exec(`UPDATE forward_targets SET disabled_at = ${Date.now()} WHERE name = 'shop'`);
  const before = latest()?.id ?? 0;
  const { Ada, Grace } = world.tokens;
  const child = fork(packageFile('test/support/approving-process.ts'), [world.audited.db.path, Ada, Grace]);
  const ended = once(child, 'exit');
  for (let said: unknown; said !== step; ) [said] = await once(child, 'message');
  child.kill('SIGKILL');
  await ended;
  const request = latest();
  const isAsked = request !== undefined && request.id > before;
  // The step that it had told is there; the next one may be.
  const reached = !isAsked ? 'begins' : request.state === 'used' ? 'done' : request.state;
  expect(STEPS.indexOf(reached as (typeof STEPS)[number])).toBeGreaterThanOrEqual(STEPS.indexOf(step));
  expect(isDisabled()).toBe(reached !== 'done');

  // Others go on where it was.
  const [ada, grace] = [
    world.operations.as(world.credentialOf('Ada')),
    world.operations.as(world.credentialOf('Grace')),
  ];
  if (!isAsked)
    await ada.approvals.ask({ act: 'target.enable', order: { target: 'shop' }, by: 'Ada', reason: 'again' });
  const id = latest()?.id ?? 0;
  if (latest()?.state === 'asked') {
    await expect(ada.outbox.enable({ target: 'shop', by: 'Ada' })).rejects.toMatchObject({ fault: 'not_approved' });
    expect(await grace.approvals.approve({ id, by: 'Grace' })).toMatchObject({ outcome: 'done' });
  }
  if (reached !== 'done') expect(await ada.outbox.enable({ target: 'shop', by: 'Ada' })).toBe(true);
  expect([latest()?.state, isDisabled(), uses(id)]).toEqual(['used', false, 1]);
  expect(world.audited.verdict()).toMatchObject({ ok: true });
});
