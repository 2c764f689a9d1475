import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { undocumentedFields } from '../support/commands.ts';
import { salesProfile } from '../support/month/dated-profile.ts';
import { sale } from '../support/month/told.ts';
import { type Days, Shop } from '../support/shop/shop.ts';

/*
 * Of C1 the service took 17.50 instead of 15.00, of C2 15.75: its wallet and its settlement statement both say so, which are four
 * exceptions and, by hand, 2.50 + 0.75 = 3.25 owed. It pays the 2.50 on 3 November.
 */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const NOVEMBER = { from: '2026-11-01', to: '2026-11-05' };

let shop: Shop;
/** By account and reference. */
let ids: Record<string, string> = {};

const run = (...args: readonly string[]) => shop.run(...args);
const json = (...args: readonly string[]) => shop.json(...args);
const take = (name: string, kind: string, { from, to }: Days, lines: readonly string[]) =>
  shop.take(
    kind,
    name,
    `From,${from},To,${to},,,\nDate,Reference,Group,Type,Amount,Fee,Balance\n${lines.join('\n')}\n`,
  );

const claim = (...more: readonly string[]) => {
  const said = ['--comment', 'ref: CLM-9; too high', '--follow-up', '2026-12-01'];
  return run('exceptions', 'resolve', ...more, '--resolution', 'claim', '--reason-code', 'service_error', ...said);
};
const rowsOfClaims = (): Record<string, string>[] =>
  parse(readFileSync(join(shop.folder, 'claims/claims-2026-10-NGN.csv')), { bom: true, columns: true });

beforeAll(async () => {
  shop = await Shop.of([sale('C1', '1000.00', '15.00'), sale('C2', '1000.00', '15.00')]);
  shop.file('wallet.yaml', salesProfile('wallet', { balance: { running: 'Balance' } }));
  shop.file('settlement.yaml', salesProfile('settlement'));
  await take('wallet.csv', 'wallet', OCTOBER, [
    '2026-10-05,C1,,Sale,982.50,17.50,1082.50',
    '2026-10-05,C2,,Sale,984.25,15.75,2066.75',
    '2026-10-06,,S1,Paid out,-1966.75,,100.00',
  ]);
  await take('settled.csv', 'settlement', OCTOBER, [
    '2026-10-06,C1,S1,Sale,982.50,17.50,',
    '2026-10-06,C2,S1,Sale,984.25,15.75,',
  ]);
  const { breaks } = await shop.reconcile(OCTOBER);
  ids = Object.fromEntries(
    breaks.map(({ account, reference, id }: Record<string, string>) => [`${account} ${reference}`, id]),
  );
  expect(Object.keys(ids).sort()).toEqual(['a-settlement C1', 'a-settlement C2', 'a-wallet C1', 'a-wallet C2']);
});

test('the queue says that the settlement repeats what the wallet shows', async () => {
  const { exceptions } = await json('exceptions', 'list');
  expect(
    exceptions.map(({ account, reference, sameAs }: Record<string, string>) => [account, reference, sameAs]),
  ).toEqual([
    ['a-settlement', 'C1', ids['a-wallet C1']],
    ['a-settlement', 'C2', ids['a-wallet C2']],
    ['a-wallet', 'C1', null],
    ['a-wallet', 'C2', null],
  ]);
  expect(exceptions[0].nextStep).toContain(`It is the same difference as ${ids['a-wallet C1']} of the wallet`);
  expect(undocumentedFields(exceptions, ['exceptions list'])).toEqual([]);
});

test('a claim of the settlement alone is in no file, and the export says why', async () => {
  expect(await claim(ids['a-settlement C1'] ?? '')).toMatchObject({ code: 0 });
  const { stdout, stderr } = await run('exceptions', 'export', '--claims', '2026-10', '--out', 'claims');
  expect([stdout, stderr]).toEqual([
    '',
    `${ids['a-settlement C1']} is in no file: it is the same difference as ${ids['a-wallet C1']}, which is not claimed.\n` +
      'Nothing of 2026-10 is claimed.\n',
  ]);
});

test('what a settlement repeats is resolved as its twin is: by a command and by a spreadsheet', async () => {
  const [own = '', twin = ''] = [ids['a-wallet C1'], ids['a-settlement C1']];
  const message = `${own} is the same difference as ${twin}, which is resolved as claim (by ada): it cannot be resolved as accept.`;
  const accepted = ['--resolution', 'accept', '--reason-code', 'small_difference'];
  expect(await run('exceptions', 'resolve', own, ...accepted)).toMatchObject({
    code: 1,
    stderr: `tallyhook: ${message}\nResolve it as claim, too, or open the other one again: tallyhook exceptions reopen ${twin} --reason TEXT\n`,
  });

  await run('exceptions', 'export', '--out', 'queue.csv');
  const rows = readFileSync(join(shop.folder, 'queue.csv'), 'utf8').split('\r\n');
  const filled = rows.map((row) => (row.startsWith(own) ? row.replace(/,,,,,$/, ',accept,small_difference,,,') : row));
  shop.file('queue.csv', filled.join('\r\n'));
  for (const dry of [['--dry-run'], []]) {
    const { refused, changed } = await json('exceptions', 'import', 'queue.csv', ...dry);
    expect([refused, changed]).toMatchObject([
      [{ id: own, reason: 'state', message: expect.stringContaining(message) }],
      [],
    ]);
  }
});

test('each amount is claimed once: in the file, on the page, and in the journal', async () => {
  const others = ['a-wallet C1', 'a-settlement C2', 'a-wallet C2'].map((name) => ids[name] ?? '');
  expect(await claim(...others)).toMatchObject({ code: 0 });
  const { files } = await json('exceptions', 'export', '--claims', '2026-10', '--out', 'claims');
  expect(files).toMatchObject([{ currency: 'NGN', claims: 2, difference: '3.25' }]);
  const rows = rowsOfClaims();
  expect(rows).toMatchObject([
    { id: ids['a-wallet C1'], charged: '17.50', schedule: '15.00', difference: '2.50', state: 'claimed' },
    { id: ids['a-wallet C2'], charged: '15.75', schedule: '15.00', difference: '0.75', state: 'claimed' },
    { id: 'total', reference: '2', charged: '33.25', schedule: '30.00', difference: '3.25' },
  ]);
  expect(rows[0]?.evidence).toBe(
    'fee 17.50, our records say 15.00; wallet.csv, row 3; collection C1; ' +
      `again in settled.csv, row 3 (${ids['a-settlement C1']})`,
  );

  expect(await run('period', 'close', '2026-10')).toMatchObject({ code: 0 });
  const { fees, exceptions, controlTotals } = await json('report', 'month', '2026-10');
  // By hand: 2.50 + 0.75 in the wallet; the settlement's two say the same again.
  const each = { environment: 'test', currency: 'NGN', count: 2, open: 0, variance: '3.25', effect: '-3.25' };
  expect(exceptions).toMatchObject({
    byCode: [{ ...each, code: 'fee_mismatch' }],
    byAge: [each],
    byResolution: [{ ...each, resolution: 'claim', reasonCode: 'service_error' }],
    repeated: [{ ...each, effect: '0.00', effectOutside: '-3.25' }],
  });
  expect(controlTotals).toMatchObject([{ exceptions: 2, variance: '3.25', effect: '-3.25' }]);
  expect(fees.claimed).toEqual([{ environment: 'test', currency: 'NGN', claims: 2, amount: '3.25' }]);
  expect((await shop.held('2026-10')).claims).toBe('3.25');
  const { stdout } = await run('report', 'month', '2026-10');
  expect(stdout).toContain('Repeated by settlement statements, in no sum above');
});

test('the line that pays the amount is named once, and both claims end with it', async () => {
  const line = await take('november.csv', 'wallet', NOVEMBER, ['2026-11-03,,,Adjustment,2.50,,102.50']);
  const pay = (name: string) =>
    run(
      'exceptions',
      'resolve',
      ids[name] ?? '',
      '--resolution',
      'claim',
      '--reason-code',
      'service_error',
      '--line',
      `${line}:3`,
    );
  await take('november-settled.csv', 'settlement', NOVEMBER, []);
  const refused = await pay('a-settlement C1');
  expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([
    2,
    `tallyhook: ${ids['a-settlement C1']} is the same difference as ${ids['a-wallet C1']}: name the line for that one, ` +
      `and the claim of ${ids['a-settlement C1']} ends with it.`,
  ]);
  expect(await pay('a-wallet C1')).toMatchObject({ code: 0 });
  await shop.reconcile(NOVEMBER);
  const { exceptions } = await json('exceptions', 'list', '--status', 'resolved', '--status', 'closed');
  expect(
    exceptions.map(({ account, reference, status }: Record<string, string>) => [account, reference, status]),
  ).toEqual([
    ['a-settlement', 'C1', 'closed'],
    ['a-settlement', 'C2', 'resolved'],
    ['a-wallet', 'C1', 'closed'],
    ['a-wallet', 'C2', 'resolved'],
  ]);
  await run('exceptions', 'export', '--claims', '2026-10', '--out', 'claims');
  expect(rowsOfClaims().map(({ id, state, difference }) => [id, state, difference])).toEqual([
    [ids['a-wallet C1'], 'paid', '2.50'],
    [ids['a-wallet C2'], 'claimed', '0.75'],
    ['total', '', '3.25'],
  ]);
  expect(await run('period', 'close', '2026-11-01..2026-11-05')).toMatchObject({ code: 0 });
  expect((await shop.held('2026-11-01..2026-11-05')).claims).toBe('-2.50');
  expect(await json('audit', 'verify')).toMatchObject({ ok: true });
});
