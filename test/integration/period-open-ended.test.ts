import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { TestDatabase } from '../support/test-database.ts';

/*
 * The bank's file of October states no days, and its last line is before the last batch of the month, which reaches the bank in
 * November. October counts the batch as on its way, whatever else the files show, and November has nothing to explain.
 */

const profile = (kind: string, columns: string, more: string) => `version: 1
name: ${kind}
kind: ${kind}
account: ${kind}
environment: test
currency: NGN
columns: { date: Date, reference: Reference, type: Type, ${columns} }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
types: { Sale: collection, Settlement: settlement, Charge: fee }
${more}`;

const PROFILES = {
  settlement: profile('settlement', 'group: Batch', ''),
  bank: profile('bank', 'text: Details', 'balance: { running: Balance }\n'),
};
const HEADERS = { settlement: 'Date,Reference,Type,Batch,Amount', bank: 'Date,Reference,Type,Details,Amount,Balance' };

const SETTLED = ['2026-10-23,C-1,Sale,SET-23,100.00', '2026-10-30,C-2,Sale,SET-30,40.00'];
const BANK = ['2026-10-26,SET-23,Settlement,,100.00,1100.00'];
const CHARGED = '2026-10-30,,Charge,Bank charge,-5.00,1095.00';
const NOVEMBER = '2026-11-01..2026-11-20';

interface Found {
  readonly reference: string | null;
  readonly leg: string | null;
  readonly effect: string;
}

class TwoMonths extends ClosingMonth {
  readonly #folder: string;

  constructor(db: TestDatabase) {
    super(db);
    this.#folder = db.folder;
  }

  async read(kind: keyof typeof PROFILES, name: string, lines: readonly string[]): Promise<void> {
    writeFileSync(join(this.#folder, `${kind}.yaml`), PROFILES[kind]);
    writeFileSync(join(this.#folder, name), `${[HEADERS[kind], ...lines].join('\n')}\n`);
    expect(await this.run('statements', 'import', name, '--profile', `${kind}.yaml`)).toMatchObject({ code: 0 });
  }

  /** What the bank's proof and the items of its leg say of some days. */
  async bankOf(from: string, to: string) {
    const { proof, timing, carried, noStatement } = await this.shop.reconcile({ from: from, to: to });
    const bank = proof.find(({ account }: { account: string }) => account === 'bank');
    const rowOf = (row: string) => {
      const { ours, theirs } = bank.rows.find(({ name }: { name: string }) => name === row);
      return [ours, theirs];
    };
    const ofLeg = (items: readonly Found[]) =>
      items.filter(({ leg }) => leg === 'batch-bank').map(({ reference, effect }) => [reference, effect]);
    return {
      ...{ opening: rowOf('opening'), settlements: rowOf('settlements'), closing: rowOf('closing') },
      ...{ timing: ofLeg(timing), carried: ofLeg(carried), unexplained: bank.unexplained },
      noStatement: noStatement['batch-bank'] ?? 0,
    };
  }

  async close(period: string): Promise<void> {
    await this.resolveAll();
    const { code, stderr } = await this.run('period', 'close', period, '--as', 'Ada');
    expect([code, stderr]).toEqual([0, '']);
  }

  /** What the journals of both periods leave in each account. */
  async balances(): Promise<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const period of ['2026-10', NOVEMBER]) {
      const { stdout } = await this.run('report', 'journal', period);
      for (const line of stdout.trimEnd().split('\r\n').slice(1)) {
        const [, , , account = '', debit, credit] = line.split(',');
        sums[account] = Math.round((sums[account] ?? 0) * 100 + Number(debit) * 100 - Number(credit) * 100) / 100;
      }
    }
    return sums;
  }
}

test.each([
  { name: 'its last line before the batch', october: BANK, begins: 1100, isEarly: false },
  { name: 'a line of the day of the batch', october: [...BANK, CHARGED], begins: 1095, isEarly: false },
  { name: 'the file of November there before October is reconciled', october: BANK, begins: 1100, isEarly: true },
])('October with $name', async ({ october, begins, isEarly }) => {
  const db = new TestDatabase();
  try {
    const month = new TwoMonths(db);
    const money = (amount: number) => `${amount}.00`;
    const readNovember = async () => {
      const next = `2026-11-03,SET-02,Settlement,,10.00,${money(begins + 50)}`;
      await month.read('bank', 'november.csv', [`2026-11-02,SET-30,Settlement,,40.00,${money(begins + 40)}`, next]);
      await month.read('settlement', 'settled-november.csv', ['2026-11-02,C-3,Sale,SET-02,10.00']);
    };
    await month.read('settlement', 'settled.csv', SETTLED);
    await month.read('bank', 'october.csv', october);
    if (isEarly) await readNovember();
    expect(await month.bankOf('2026-10-01', '2026-10-31')).toEqual({
      opening: ['1000.00', '1000.00'],
      settlements: ['140.00', '100.00'],
      closing: [money(begins + 40), money(begins)],
      timing: [['SET-30', '-40.00']],
      ...{ carried: [], unexplained: '0.00', noStatement: 0 },
    });
    await month.close('2026-10');
    if (!isEarly) await readNovember();
    expect(await month.bankOf('2026-11-01', '2026-11-20')).toEqual({
      opening: [money(begins + 40), money(begins)],
      settlements: ['10.00', '50.00'],
      closing: [money(begins + 50), money(begins + 50)],
      ...{ timing: [], carried: [], unexplained: '0.00', noStatement: 0 },
    });
    const draft = await month.run('report', 'journal', NOVEMBER, '--draft');
    expect([draft.code, draft.stderr]).toEqual([0, '']);
    await month.close(NOVEMBER);
    const held = await month.balances();
    expect(held).toMatchObject({ carried: 0, 'clearing:settlement': 0 });
    expect(Object.values(held).reduce((sum, one) => sum + one, 0)).toBe(0);
  } finally {
    db.remove();
  }
});

test('a batch that the bank never shows is carried into November, and missing there', async () => {
  const db = new TestDatabase();
  try {
    const month = new TwoMonths(db);
    await month.read('settlement', 'settled.csv', SETTLED);
    await month.read('bank', 'october.csv', BANK);
    await month.bankOf('2026-10-01', '2026-10-31');
    await month.close('2026-10');
    await month.read('bank', 'november.csv', ['2026-11-12,,Charge,Bank charge,-5.00,1095.00']);
    expect(await month.bankOf('2026-11-01', '2026-11-20')).toMatchObject({
      opening: ['1140.00', '1100.00'],
      closing: ['1135.00', '1095.00'],
      ...{ carried: [['SET-30', '-40.00']], unexplained: '0.00' },
    });
    const why = await month.json('why', 'SET-30');
    expect(JSON.stringify(why)).not.toContain('no_statement');
  } finally {
    db.remove();
  }
});
