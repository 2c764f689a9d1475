import { expect } from 'vitest';
import { datedProfile } from './month/dated-profile.ts';
import type { Told } from './month/fill.ts';
import { Shop } from './month/shop.ts';
import { at } from './month/told.ts';

/* October with one wallet, whose file states its days, for tests that run command after command. */

const TYPES = {
  Collection: 'collection',
  Payout: 'payout',
  Refund: 'refund',
  Reversal: 'payout_reversal',
  Adjustment: 'adjustment',
  'Top-up': 'top_up',
} as const;
const PROFILE = datedProfile('wallet', TYPES, { columns: ['reference', 'sessionId', 'type'], fee: 'Fee' });

export interface WalletReport {
  readonly matched: Readonly<Record<string, number>>;
  readonly breaks: readonly WalletItem[];
  readonly timing: readonly WalletItem[];
  readonly suggested: readonly WalletItem[];
  readonly proof: readonly {
    readonly account: string;
    readonly covers: { readonly from: string; readonly to: string };
    readonly rows: readonly { readonly name: string; readonly ours: string; readonly difference: string }[];
    readonly unexplained: string;
  }[];
}

export interface WalletItem {
  readonly id: string;
  readonly code: string;
  readonly reference: string | null;
  readonly effect: string;
  readonly reason: string;
  readonly nextStep: string;
  readonly line: { readonly statement: number; readonly row: number } | null;
  readonly candidates: readonly string[];
}

const minor = (text: string) => BigInt(text.replace('.', ''));

export class WalletMonth {
  readonly #shop: Shop;
  readonly folder: string;
  readonly run: Shop['run'];
  readonly json: Shop['json'];
  readonly tell: Shop['tell'];

  private constructor(shop: Shop) {
    this.#shop = shop;
    this.folder = shop.folder;
    this.run = shop.run;
    this.json = shop.json;
    this.tell = (records) => shop.tell(records);
    shop.file('wallet.yaml', PROFILE);
  }

  /** `lines`: `Date,Reference,Session,Type,Amount,Fee` of a file of the days `from` to `to`. */
  static async of(records: readonly Told[], lines: readonly string[], from = 1, to = 31): Promise<WalletMonth> {
    const month = new WalletMonth(await Shop.of(records));
    await month.import('wallet.csv', lines, from, to);
    return month;
  }

  /** Expects that every row can be read, unless `code` is 3. */
  async import(name: string, lines: readonly string[], from = 1, to = 31, code = 0): Promise<void> {
    await this.importDays(name, [at(from).slice(0, 10), at(to).slice(0, 10)], lines, code);
  }

  /** The same, of any days. */
  async importDays(name: string, days: readonly [string, string], lines: readonly string[] = [], code = 0) {
    const text = `From,${days[0]},To,${days[1]},,\nDate,Reference,Session,Type,Amount,Fee\n${lines.join('\n')}\n`;
    this.#shop.file(name, text);
    const ended = await this.run('statements', 'import', name, '--profile', 'wallet.yaml');
    expect([ended.code, ended.code === code ? '' : ended.stdout + ended.stderr]).toEqual([code, '']);
  }

  /** Carries out the command of a break's next step, for its line. */
  carryOut(one: WalletItem | undefined) {
    const [, words = ''] = /tallyhook (.*)$/.exec(one?.nextStep ?? '') ?? [];
    const place = `${one?.line?.statement}:${one?.line?.row}`;
    return this.run(...words.replace('STATEMENT:ROW', place).split(' '));
  }

  /** Reconciles October; holds that what is said adds up, and that nothing is unexplained. */
  async reconcile(...more: readonly string[]): Promise<WalletReport> {
    const report: WalletReport = await this.#shop.reconcile({ from: '2026-10-01', to: '2026-10-31' }, ...more);
    for (const { rows, unexplained } of report.proof) {
      const items = [...report.breaks, ...report.timing, ...report.suggested];
      const effects = items.reduce((sum, { effect }) => sum + minor(effect), 0n);
      expect([effects, unexplained]).toEqual([minor(rows.at(-1)?.difference ?? ''), '0.00']);
    }
    return report;
  }
}
