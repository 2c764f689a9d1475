import { expect, test } from 'vitest';
import { numberEntries } from '../../../../src/domain/journal/numbering.ts';
import { journalCsv } from '../../../../src/reconcile/journal/csv.ts';
import { hledgerText, roleSums } from '../../../../src/reconcile/journal/hledger.ts';
import { journalOf } from '../../../../src/reconcile/journal/journal.ts';
import { draftEntry, printedEntry, withoutBooks } from '../../../../src/reconcile/journal/printed.ts';
import { hledgerBalances, hledgerCheck } from '../../../support/journal/hledger.ts';
import { NOVEMBER, OCTOBER } from '../../../support/journal/months.ts';
import { SMALL_NOVEMBER, SMALL_OCTOBER } from '../../../support/journal/small-months.ts';

const october = numberEntries([], journalOf(SMALL_OCTOBER), 1);
const printed = october.map(printedEntry('2026-10'));
const november = numberEntries([], journalOf(SMALL_NOVEMBER(october)), 1);
const octoberText = hledgerText({ period: OCTOBER, entries: printed, before: [] });
const novemberText = hledgerText({
  ...{ period: NOVEMBER, entries: november.map(printedEntry('2026-11')), before: roleSums(october) },
});

test('a month reads like an accountant writes it', () => {
  expect(octoberText).toMatchInlineSnapshot(`
    "commodity NGN 1000.00

    account assets:wallet:wallet-main
    account carried
    account claims
    account clearing:sales
    account clearing:settlement
    account equity:opening
    account fees
    account sales

    2026-10-01 * (2026-10-00001) Opening balance, wallet-main
        assets:wallet:wallet-main  NGN 50.00  ; Opening balance
        equity:opening  NGN -50.00  ; Opening balance

    2026-10-05 * (2026-10-00002) Sales and refunds, wallet-main
        clearing:sales  NGN 101.00  ; Collections by our records
        sales  NGN -101.00  ; Collections by our records

    2026-10-05 * (2026-10-00003) Movements, wallet-main
        assets:wallet:wallet-main  NGN 99.00  ; Net movement by the statement
        clearing:sales  NGN 0.50  ; Fees: statement against our records
        fees  NGN 1.50  ; Fees
        clearing:sales  NGN -101.00  ; Collections

    2026-10-31 * (2026-10-00004) Sales and refunds, wallet-main
        clearing:sales  NGN 100.00  ; Collections by our records
        sales  NGN -100.00  ; Collections by our records

    2026-10-31 * (2026-10-00005) Movements, wallet-main
        clearing:settlement  NGN 80.00  ; Settlements
        assets:wallet:wallet-main  NGN -80.00  ; Net movement by the statement

    2026-10-31 * (2026-10-00006) Differences that were decided about, wallet-main
        claims  NGN 0.50  ; Claimed (service error), CLM-7: fee mismatch - PAY-1
        clearing:sales  NGN -0.50  ; Claimed (service error), CLM-7: fee mismatch - PAY-1

    2026-10-31 * (2026-10-00007) Carried to the next period, wallet-main
        carried  NGN 80.00  ; On the way between wallet and bank
        clearing:settlement  NGN -80.00  ; On the way between wallet and bank
        carried  NGN 100.00  ; Not due yet: 1 item
        clearing:sales  NGN -100.00  ; Not due yet: 1 item

    2026-10-31 * Closing balances
        assets:wallet:wallet-main  NGN 0.00 = NGN 69.00
        clearing:sales  NGN 0.00 = NGN 0.00
        clearing:settlement  NGN 0.00 = NGN 0.00
    "
  `);
});

test('the next month begins with what the first one left, and brings back what was carried', () => {
  expect(novemberText).toMatchInlineSnapshot(`
    "commodity NGN 1000.00

    account assets:bank:bank-main
    account assets:wallet:wallet-main
    account carried
    account claims
    account clearing:sales
    account clearing:settlement
    account equity:opening

    2026-11-01 * Balances from the earlier periods
        assets:wallet:wallet-main  NGN 69.00
        equity:opening  NGN -69.00
        carried  NGN 180.00
        equity:opening  NGN -180.00
        claims  NGN 0.50
        equity:opening  NGN -0.50

    2026-11-01 * (2026-11-00001) Brought forward, wallet-main
        clearing:settlement  NGN 80.00  ; Brought forward: On the way between wallet and bank
        carried  NGN -80.00  ; Brought forward: On the way between wallet and bank
        clearing:sales  NGN 100.00  ; Brought forward: Not due yet: 1 item
        carried  NGN -100.00  ; Brought forward: Not due yet: 1 item

    2026-11-02 * (2026-11-00002) Movements, bank-main
        assets:bank:bank-main  NGN 80.00  ; Net movement by the statement
        clearing:settlement  NGN -80.00  ; Settlements

    2026-11-02 * (2026-11-00003) Movements, wallet-main
        assets:wallet:wallet-main  NGN 100.00  ; Net movement by the statement
        clearing:sales  NGN -100.00  ; Collections

    2026-11-04 * (2026-11-00004) Movements, wallet-main
        assets:wallet:wallet-main  NGN 0.50  ; Net movement by the statement
        clearing:sales  NGN -0.50  ; Adjustments: statement against our records

    2026-11-30 * (2026-11-00005) Differences that were decided about, wallet-main
        clearing:sales  NGN 0.50  ; No longer so: Claimed (service error), CLM-7: fee mismatch - PAY-1
        claims  NGN -0.50  ; No longer so: Claimed (service error), CLM-7: fee mismatch - PAY-1

    2026-11-30 * Closing balances
        assets:bank:bank-main  NGN 0.00 = NGN 80.00
        assets:wallet:wallet-main  NGN 0.00 = NGN 169.50
        clearing:sales  NGN 0.00 = NGN 0.00
        clearing:settlement  NGN 0.00 = NGN 0.00
    "
  `);
});

test('the same as CSV for other programs', () => {
  expect(journalCsv(printed)).toMatchInlineSnapshot(`
    "entry,line,date,account,debit,credit,currency,text,reference,source,reverses
    2026-10-00001,1,2026-10-01,assets:wallet:wallet-main,50.00,,NGN,Opening balance,,opening,
    2026-10-00001,2,2026-10-01,equity:opening,,50.00,NGN,Opening balance,,opening,
    2026-10-00002,1,2026-10-05,clearing:sales,101.00,,NGN,Collections by our records,,books,
    2026-10-00002,2,2026-10-05,sales,,101.00,NGN,Collections by our records,,books,
    2026-10-00003,1,2026-10-05,assets:wallet:wallet-main,99.00,,NGN,Net movement by the statement,,movement,
    2026-10-00003,2,2026-10-05,clearing:sales,0.50,,NGN,Fees: statement against our records,,movement,
    2026-10-00003,3,2026-10-05,fees,1.50,,NGN,Fees,,movement,
    2026-10-00003,4,2026-10-05,clearing:sales,,101.00,NGN,Collections,,movement,
    2026-10-00004,1,2026-10-31,clearing:sales,100.00,,NGN,Collections by our records,,books,
    2026-10-00004,2,2026-10-31,sales,,100.00,NGN,Collections by our records,,books,
    2026-10-00005,1,2026-10-31,clearing:settlement,80.00,,NGN,Settlements,,movement,
    2026-10-00005,2,2026-10-31,assets:wallet:wallet-main,,80.00,NGN,Net movement by the statement,,movement,
    2026-10-00006,1,2026-10-31,claims,0.50,,NGN,"Claimed (service error), CLM-7: fee mismatch",PAY-1,resolution,
    2026-10-00006,2,2026-10-31,clearing:sales,,0.50,NGN,"Claimed (service error), CLM-7: fee mismatch",PAY-1,resolution,
    2026-10-00007,1,2026-10-31,carried,80.00,,NGN,On the way between wallet and bank,,carried,
    2026-10-00007,2,2026-10-31,clearing:settlement,,80.00,NGN,On the way between wallet and bank,,carried,
    2026-10-00007,3,2026-10-31,carried,100.00,,NGN,Not due yet: 1 item,,carried,
    2026-10-00007,4,2026-10-31,clearing:sales,,100.00,NGN,Not due yet: 1 item,,carried,
    "
  `);
});

test('hledger takes each month alone, strictly', { tags: ['hledger'] }, () => {
  expect(hledgerCheck(octoberText)).toBeNull();
  expect(hledgerCheck(novemberText)).toBeNull();
});

test('hledger finds a changed amount', { tags: ['hledger'] }, () => {
  expect(hledgerCheck(octoberText.replace('NGN -101.00', 'NGN -101.01'))).toContain(
    'could not balance this transaction',
  );
});

test('hledger adds up what the statements close with', { tags: ['hledger'] }, () => {
  expect(hledgerBalances(novemberText).filter((line) => /^(assets|clearing)/.test(line))).toEqual([
    'assets:bank:bank-main NGN 80.00',
    'assets:wallet:wallet-main NGN 169.50',
  ]);
});

test('a draft has no numbers, and is marked as pending', { tags: ['hledger'] }, () => {
  const text = hledgerText({ period: OCTOBER, entries: journalOf(SMALL_OCTOBER).map(draftEntry), before: [] });
  expect(text).toContain('2026-10-31 ! Carried to the next period');
  expect(hledgerCheck(text)).toBeNull();
});

test('without books the clearing account keeps what the books of the merchant bring', { tags: ['hledger'] }, () => {
  const text = hledgerText({ period: OCTOBER, entries: withoutBooks(printed), before: [] });
  expect(text).toContain('    clearing:sales  NGN 0.00 = NGN -201.00');
  expect(hledgerCheck(text)).toBeNull();
});
