import { describe, expect, test } from 'vitest';
import { STANDARD_REASONS } from '../../../../src/domain/exceptions/reasons.ts';
import type { ReasonRules } from '../../../../src/domain/exceptions/words.ts';
import { SHEET_COLUMNS, type SheetColumn } from '../../../../src/reconcile/sheet/columns.ts';
import { sheetException } from '../../../support/sheets/exceptions.ts';
import { judged } from '../../../support/sheets/judged.ts';

// Rows as a person leaves them, written by hand: the oracle is what section "Exceptions in a spreadsheet" of docs/closing.md says.

const AS_EXPORTED: Readonly<Record<SheetColumn, string>> = {
  ...{ id: 'x-0123456789abcdef01234567', version: '3', code: 'fee_mismatch' },
  what: '"The fee of collection C-17 is 2.00 in our records, and 3.50 in the statement."',
  ...{ side: 'ours', reference: 'C-17', date: '2026-10-14', currency: 'NGN' },
  ...{ ours: '2.00', theirs: '3.50', variance: '1.50', effect: '-1.50', age_days: '36' },
  ...{ next_step: 'Claim it from the service.', status: 'open' },
  ...{ resolution: '', reason_code: '', assignee: '', comment: '', follow_up: '' },
};

function file(...rows: Partial<Record<SheetColumn, string>>[]): string {
  const lines = rows.map((row) => SHEET_COLUMNS.map((column) => ({ ...AS_EXPORTED, ...row })[column]).join(','));
  return [SHEET_COLUMNS.join(','), ...lines, ''].join('\r\n');
}

const REASONS: ReasonRules = {
  ...STANDARD_REASONS,
  proven: { resolution: 'accept', account: null, needs: ['attachment'], approveAbove: {} },
  owed: { resolution: 'claim', account: null, needs: ['reference', 'follow_up'], approveAbove: {} },
};

const judge = (text: string, over: Parameters<typeof sheetException>[0] = {}) =>
  judged(text, [sheetException(over)], { reasons: REASONS });

describe('what a row changes', () => {
  test.each([
    ['nothing', {}, undefined],
    ['an assignee', { assignee: 'Ada' }, { assignee: 'Ada' }],
    ['a comment', { comment: 'asked the bank' }, { comment: 'asked the bank' }],
    [
      'a resolution',
      { resolution: 'accept', reason_code: 'rounding' },
      { resolve: { resolution: 'accept', reasonCode: 'rounding', reference: null, followUp: null } },
    ],
    [
      'a claim, its reference at the start of the comment',
      { resolution: 'Claim', reason_code: 'OWED', comment: 'ref: CLM-7; too much', follow_up: '2026-12-01' },
      {
        resolve: { resolution: 'claim', reasonCode: 'owed', reference: 'CLM-7', followUp: '2026-12-01' },
        comment: 'ref: CLM-7; too much',
      },
    ],
  ])('%s', async (_what, cells, act) => {
    const { unchanged, changed, refused } = await judge(file(cells));
    expect(refused).toEqual([]);
    expect(unchanged).toBe(act === undefined ? 1 : 0);
    const id = AS_EXPORTED.id;
    if (act !== undefined) expect(changed[0]?.act).toEqual({ act: 'import', id, by: 'ada', version: 3, ...act });
  });

  test('each change has what was there and what comes', async () => {
    const now = { assignee: 'Ada', status: 'assigned', comment: 'asked', followUp: null } as const;
    const { changed } = await judge(file({ status: 'assigned', assignee: '-', comment: 'paid back' }), now);
    expect(changed).toMatchObject([{ row: 2, changes: { assignee: ['Ada', null], comment: ['asked', 'paid back'] } }]);
  });

  test('an empty cell changes nothing, and a minus clears', async () => {
    const now = { assignee: 'Ada', comment: 'asked', followUp: '2026-12-01', resolution: 'claim' } as const;
    const resolved = { ...now, reasonCode: 'owed', status: 'resolved' } as const;
    expect(await judge(file({ status: 'resolved' }), resolved)).toMatchObject({ unchanged: 1, changed: [] });
    const cleared = await judge(file({ status: 'resolved', assignee: '-', comment: '-', follow_up: '-' }), resolved);
    expect(cleared.changed[0]?.act).toMatchObject({ assignee: null, comment: null, followUp: null });
    const again = await judge(file({ assignee: '-', comment: '-', follow_up: '-' }));
    expect(again).toMatchObject({ unchanged: 1, changed: [], refused: [] });
  });

  test('one person is one person, however the name is written', async () => {
    const now = { assignee: 'Zoe\u0308 Ade', status: 'assigned' } as const;
    expect(await judge(file({ status: 'assigned', assignee: ' zoë ade ' }), now)).toMatchObject({ unchanged: 1 });
  });
});

describe('what a row is refused for, in this order', () => {
  const wrong: readonly (readonly [string, string, string | null, Partial<Record<SheetColumn, string>>])[] = [
    ['unreadable', 'id', null, { id: '' }],
    ['unreadable', 'version', '3.5', { version: '3.5' }],
    ['unreadable', 'follow_up', 'soon', { follow_up: 'soon' }],
    ['unreadable', 'comment', '1.23E+15', { comment: '1.23E+15' }],
    ['formula', 'comment', '=A1', { comment: '=A1' }],
    ['formula', 'assignee', '＠x', { assignee: '＠x' }],
    ['unknown_id', 'id', 'x-fff', { id: 'x-fff' }],
    ['stale', 'version', '2', { version: '2', comment: 'new' }],
    ['locked', 'theirs', '3.51', { theirs: '3.51' }],
    ['unknown_word', 'resolution', 'acept', { resolution: 'acept', reason_code: 'rounding' }],
    ['unknown_word', 'reason_code', 'roundin', { resolution: 'accept', reason_code: 'roundin' }],
    ['unknown_word', 'reason_code', 'constructor', { resolution: 'accept', reason_code: 'constructor' }],
    ['unknown_word', 'reason_code', 'rounding', { resolution: 'claim', reason_code: 'rounding' }],
    ['unknown_word', 'assignee', 'Ada\u200b', { assignee: 'Ada\u200b' }],
    ['unknown_word', 'assignee', 'TallyHook', { assignee: 'TallyHook', resolution: 'accept' }],
    ['missing', 'reason_code', null, { resolution: 'accept' }],
    ['missing', 'resolution', null, { reason_code: 'rounding' }],
    ['missing', 'comment', null, { resolution: 'accept', reason_code: 'other' }],
    [
      'missing',
      'comment',
      'why',
      { resolution: 'claim', reason_code: 'owed', comment: 'why', follow_up: '2026-12-01' },
    ],
    ['missing', 'follow_up', null, { resolution: 'claim', reason_code: 'owed', comment: 'ref: CLM-7' }],
    ['missing', 'reason_code', 'proven', { resolution: 'accept', reason_code: 'proven' }],
    ['missing', 'resolution', 'match', { resolution: 'match' }],
  ];

  test.each(wrong)('%s in %s: %j', async (reason, column, value, cells) => {
    const { changed, refused, unchanged } = await judge(file({ comment: '', ...cells, ...(cells.id === '' && NOTE) }));
    expect({ changed, unchanged }).toEqual({ changed: [], unchanged: 0 });
    expect(refused).toMatchObject([{ row: 2, reason, column, value }]);
    expect(refused[0]?.message).toMatch(/\w.*\.$|ROW$/);
  });

  // A row without an id and without anything in the columns to fill is a note below the table.
  const NOTE = { comment: 'who?' };

  test('the first reason counts', async () => {
    const all = [
      ['unreadable', { follow_up: 'soon', comment: '=A1', version: '2', theirs: '9' }],
      ['formula', { id: 'x-fff', comment: '=A1', version: '2', theirs: '9' }],
      ['unknown_id', { id: 'x-fff', comment: 'a', version: '2', theirs: '9' }],
      ['stale', { comment: 'a', version: '2', theirs: '9', resolution: 'x' }],
      ['locked', { theirs: '9', resolution: 'x' }],
      ['unknown_word', { resolution: 'accept', reason_code: 'owed' }],
    ] as const;
    for (const [reason, cells] of all) expect((await judge(file(cells))).refused[0]?.reason).toBe(reason);
  });

  test('the second row of one id is refused; the first goes on', async () => {
    const { changed, refused } = await judge(file({ comment: 'one' }, { comment: 'two' }, { version: '1' }));
    expect(changed.map(({ row }) => row)).toEqual([2]);
    expect(refused.map(({ row, reason }) => [row, reason])).toEqual([
      [3, 'duplicate'],
      [4, 'duplicate'],
    ]);
  });

  test('a stale row says who changed the exception and when; without a change it is not refused', async () => {
    const now = { version: 4, changedBy: 'Bob', theirs: '9.00' };
    const { refused } = await judge(file({ comment: 'mine' }), now);
    expect(refused).toMatchObject([{ reason: 'stale', who: 'Bob', atMs: Date.UTC(2026, 10, 2) }]);
    expect(refused[0]?.message).toContain('Bob');
    expect(await judge(file({}), now)).toMatchObject({ unchanged: 1, refused: [] });
  });

  test.each(SHEET_COLUMNS.slice(2, 15))('locked: %s', async (column) => {
    const other = column === 'age_days' ? '37' : column === 'date' ? '2026-10-15' : '7.77';
    const { refused } = await judge(file({ [column]: other }));
    expect(refused).toMatchObject([{ reason: 'locked', column, value: other }]);
  });

  test('an age of an earlier day is no change', async () => {
    expect(await judge(file({ age_days: '30' }))).toMatchObject({ unchanged: 1, refused: [] });
  });
});

describe('rows and columns', () => {
  test('rows may be sorted and deleted, columns moved, deleted, renamed in their case, and added', async () => {
    const text = ['Note;Comment;VERSION;my sum;ID', ';asked;3;=B2;x-0123456789abcdef01234567', ''].join('\n');
    const { changed, rows } = await judge(text);
    expect(rows).toBe(1);
    expect(changed).toMatchObject([{ row: 2, act: { comment: 'asked', version: 3 } }]);
  });

  test('control totals, empty rows and notes below the table are no rows', async () => {
    const total = { id: 'Total', version: '', what: '1', comment: '' };
    const note = Object.fromEntries(SHEET_COLUMNS.map((column) => [column, ''])) as Record<SheetColumn, string>;
    const { rows, refused } = await judge(file({}, total, note, { ...note, what: 'printed by Ada', ours: '2.00' }));
    expect({ rows, refused }).toEqual({ rows: 1, refused: [] });
  });

  test('a title above the header is no row, and rows are numbered as a spreadsheet shows them', async () => {
    const { changed } = await judge(`October\r\n\r\n${file({ comment: 'a' })}`);
    expect(changed[0]?.row).toBe(4);
  });
});
