import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undocumentedFields } from '../support/commands.ts';
import { BREAK_ID } from '../support/fee-break.ts';
import { ReconciledFolder } from '../support/kept-run.ts';
import { collection, TestDatabase } from '../support/test-database.ts';

const OTHER_ID = 'x-00000000000000000000000f';
const db = new TestDatabase();
const folder = new ReconciledFolder(db);
afterAll(() => db.remove());
const SECTION = ['breaks list, show'];

test('before the first run there are none, and the list says so', async () => {
  expect(await folder.run('breaks', 'list')).toEqual({ code: 0, stdout: '', stderr: 'No run has been kept yet.\n' });
  expect(await folder.json('breaks', 'list')).toEqual({ items: [], shown: 0, total: 0, more: false, run: null });
});

describe('after two runs', () => {
  beforeAll(async () => {
    db.keepAndApply(collection('C-1', 'success', { data: { amount: '100.00', fee: '12.50', currency: 'NGN' } }));
    await folder.import('october.csv', [['C-1', 10_000]]);
    const line = { statement: 1, row: 2, fingerprint: 'ab'.repeat(32), occurrence: 1 };
    const unmatched = { id: OTHER_ID, code: 'missing_internal', side: 'theirs', kind: null, reference: 'C-9' } as const;
    await folder.keep({ breaks: [{ id: 'x-000000000000000000000001', reference: 'GONE' }] });
    await folder.keep({
      breaks: [
        { line, recordId: 1 },
        { ...unmatched, ours: null, variance: null, line: null },
      ],
    });
  });

  test('breaks list has those of the last run, or of the one that is named; it ends with 0', async () => {
    const list = await folder.json('breaks', 'list');
    expect(list).toMatchObject({
      shown: 2,
      total: 2,
      run: { run: 2, from: '2026-10-01', to: '2026-10-31', what: 'all', environment: null, account: null },
      items: [
        {
          id: BREAK_ID,
          run: 2,
          code: 'fee_mismatch',
          reference: 'C-1',
          ours: '12.50',
          theirs: '15.00',
          variance: '2.50',
          effect: '-2.50',
          line: { statement: 1, row: 2 },
          reason: 'fee 15.00, schedule says 12.50',
        },
        { id: OTHER_ID, kind: null, line: null, ours: null },
      ],
    });
    expect(undocumentedFields(list, SECTION)).toEqual([]);
    expect(await folder.run('breaks', 'list', '--limit', '1')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ID .*\nx-0123456789abcdef01234567 {2}test {2}fee_mismatch {2}collection C-1 /),
      stderr: '1 of 2 shown; --limit 1000 or --all\n',
    });
    expect((await folder.json('breaks', 'list', '--run', '1')).items).toMatchObject([{ reference: 'GONE' }]);
    expect((await folder.json('breaks', 'list', '--reference', 'C-9')).items).toMatchObject([{ id: OTHER_ID }]);
    expect((await folder.json('breaks', 'list', '--code', 'fee_mismatch')).items).toMatchObject([{ id: BREAK_ID }]);
    expect((await folder.run('breaks', 'list', '--account', 'bank')).stderr).toBe('No breaks of run 2 match.\n');
    expect(await folder.run('breaks', 'list', '--run', '9')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no run 9/),
    });
  });

  test('breaks show has the cells of the line and the witnesses of the record', async () => {
    const shown = await folder.json('breaks', 'show', BREAK_ID);
    expect(shown).toMatchObject({
      id: BREAK_ID,
      run: { run: 2 },
      cells: { row: 2, reference: 'C-1', amount: '100.00', balance: '1100.00', typeText: 'Collection' },
      unparsed: null,
      record: { kind: 'collection', reference: 'C-1', reported: 'success' },
      evidence: { events: [1], answer: null, webhook: { status: 'success' }, service: null },
    });
    expect(
      undocumentedFields(shown, [
        ...SECTION,
        'statements list, show, remove',
        'refunds, payouts, collections',
        'reconcile',
      ]),
    ).toEqual([]);
    const { code, stdout } = await folder.run('breaks', 'show', BREAK_ID);
    expect(code).toBe(0);
    for (const part of [
      /^break x-0123456789abcdef01234567 {2}fee_mismatch of collection C-1\n/,
      /\nwhy +fee 15\.00, schedule says 12\.50\n/,
      /\nnext step +Claim 2\.50 NGN from the service\.\n/,
      /\nRow 2 of statement 1\naccount +wallet-main \(wallet, test\)\ndate +2026-10-01\n/,
      /\namount +100\.00 NGN\n/,
      /\nWitnesses of the record\nWITNESS +STATUS .*\nwebhooks +success .* 100\.00 +NGN\n/,
      /\nthe whole story +tallyhook why C-1\n$/,
    ]) {
      expect(stdout).toMatch(part);
    }
  });

  test('a break of an older run is shown as it was found, and its line also when it is gone', async () => {
    expect(await folder.json('breaks', 'show', 'x-000000000000000000000001')).toMatchObject({ run: { run: 1 } });
    await folder.run('statements', 'remove', '1', '--yes');
    expect((await folder.run('breaks', 'show', BREAK_ID)).stdout).toMatch(
      /\nRow 2 of statement 1\nIt shows no more: its statement was removed\.\n/,
    );
  });

  test('why tells of the breaks of the last run, with reason and next step', async () => {
    const story = await folder.json('why', 'C-1');
    expect(story.records[0].story.at(-1)).toMatchObject({
      source: 'break',
      text: `Break fee_mismatch (${BREAK_ID}) of run 2: fee 15.00, schedule says 12.50. Next step: Claim 2.50 NGN from the service.`,
      facts: { breakId: BREAK_ID, run: 2, code: 'fee_mismatch', leg: 'records-wallet', effect: '-2.50' },
    });
    expect(undocumentedFields(story, ['why', 'refunds, payouts, collections'])).toEqual([]);
    expect((await folder.json('why', 'C-9')).reconciled).toMatchObject([{ source: 'break' }]);
    expect(await folder.run('why', 'GONE')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No record, event, request or statement has/),
    });
  });

  test.each([
    ['an unknown break', 'x-aaaaaaaaaaaaaaaaaaaaaaaa', 1, /No run that is kept has a break x-a+/],
    ['what is no id', '17', 2, /"17" is not an id of a break/],
  ])('refused: %s', async (_, id, code, message) => {
    expect(await folder.run('breaks', 'show', id)).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });
});
