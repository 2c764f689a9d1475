import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { command } from '../support/command.ts';
import { commandEnv, fill } from '../support/month/fill.ts';
import { at, told } from '../support/month/told.ts';

vi.setConfig({ testTimeout: 240_000 });

/* Charges in rows of their own that carry nothing but the session of their payout. */

const PROFILE = `version: 1
name: wallet
kind: wallet
account: wallet
environment: test
currency: NGN
columns: { date: Date, reference: Reference, sessionId: Session, type: Type }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
types: { Payout: payout, Fee: fee, Tax: tax }
`;

test('charges of a session join the payout of that session; those of an unknown one stand apart', async () => {
  const times = { created_at: at(6), updated_at: at(6) };
  const money = { amount: '200.00', fee: '5.38', stamp_duty: '0.00', session_id: 'S1' };
  const { folder: cwd, database } = await fill([told('payout', 'P1', { status: 'completed', ...money, ...times })]);
  const run = (...args: readonly string[]) => command(args, { cwd, env: commandEnv(database) });
  const lines = ['P1,S1,Payout,-200.00', ',S1,Fee,-5.00', ',S1,Tax,-0.38', ',S9,Fee,-1.00'];
  const text = ['Date,Reference,Session,Type,Amount', ...lines.map((line) => `2026-10-06,${line}`)].join('\n');
  writeFileSync(join(cwd, 'wallet.csv'), `${text}\n`);
  writeFileSync(join(cwd, 'wallet.yaml'), PROFILE);
  expect(await run('statements', 'import', 'wallet.csv', '--profile', 'wallet.yaml')).toMatchObject({ code: 0 });
  const { stdout } = await run('reconcile', '--from', '2026-10-06', '--to', '2026-10-06', '--json');
  const { breaks, proof } = JSON.parse(stdout);
  expect(breaks).toEqual([]);
  const [{ rows, unexplained }] = proof;
  expect(rows.at(-1)).toMatchObject({ ours: '-206.38', theirs: '-206.38' });
  expect(unexplained).toBe('0.00');
});
