import { expect } from 'vitest';
import { datedProfile } from './month/dated-profile.ts';
import { at } from './month/told.ts';
import type { Told } from './shop/records.ts';
import { type RunOptions, Shop } from './shop/shop.ts';

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
  readonly shop: Shop;

  private constructor(shop: Shop) {
    this.shop = shop;
    shop.file('wallet.yaml', PROFILE);
  }

  /** `lines`: `Date,Reference,Session,Type,Amount,Fee` of a file of the days `from` to `to`. */
  static async of(records: readonly Told[], lines: readonly string[], from = 1, to = 31): Promise<WalletMonth> {
    const month = new WalletMonth(await Shop.of(records));
    await month.import('wallet.csv', lines, from, to);
    return month;
  }

  /** Expects that every row can be read and adds up, unless it `differs`. */
  async import(name: string, lines: readonly string[], from = 1, to = 31, differs = false): Promise<void> {
    await this.importDays(name, [at(from).slice(0, 10), at(to).slice(0, 10)], lines, differs);
  }

  /** The same, of any days. */
  async importDays(name: string, days: readonly [string, string], lines: readonly string[] = [], differs = false) {
    const text = `From,${days[0]},To,${days[1]},,\nDate,Reference,Session,Type,Amount,Fee\n${lines.join('\n')}\n`;
    const { unparsed, totals } = await this.shop.import('wallet.yaml', name, text);
    expect(unparsed.length + totals.controls.length > 0).toBe(differs);
  }

  /** Carries out the command of a break's next step, for its line, by the real program. */
  carryOut(one: WalletItem | undefined) {
    const [, words = ''] = /tallyhook (.*)$/.exec(one?.nextStep ?? '') ?? [];
    const place = `${one?.line?.statement}:${one?.line?.row}`;
    return this.shop.run(...words.replace('STATEMENT:ROW', place).split(' '));
  }

  /** Reconciles October; holds that what is said adds up, and that nothing is unexplained. */
  async reconcile(options: RunOptions = {}): Promise<WalletReport> {
    const report: WalletReport = await this.shop.reconcile({ from: '2026-10-01', to: '2026-10-31' }, options);
    for (const { rows, unexplained } of report.proof) {
      const items = [...report.breaks, ...report.timing, ...report.suggested];
      const effects = items.reduce((sum, { effect }) => sum + minor(effect), 0n);
      expect([effects, unexplained]).toEqual([minor(rows.at(-1)?.difference ?? ''), '0.00']);
    }
    return report;
  }
}
