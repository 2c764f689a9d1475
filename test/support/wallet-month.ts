import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RecordKind } from '../../src/domain/lifecycle.ts';
import { command } from './command.ts';
import { commandEnv, fill, type Told } from './month/fill.ts';
import { statusPathOf, webhookOf } from './month/tell.ts';

/* October with one wallet, whose file states its days, for tests that run command after command. */

export const at = (day: number) => `2026-10-${String(day).padStart(2, '0')}T10:00:00Z`;

export function told(kind: RecordKind, reference: string, data: Record<string, unknown>): Told {
  const all = { reference, status: 'success', currency: 'NGN', ...data };
  const webhooks = [webhookOf(kind, String(all.status), all)];
  return {
    environment: 'test',
    webhooks,
    path: statusPathOf({ kind, reference }),
    answer: { success: true, data: all },
  };
}

const PROFILE = `version: 1
name: wallet
kind: wallet
account: wallet
environment: test
currency: NGN
file: { skipRows: 1 }
columns: { date: Date, reference: Reference, sessionId: Session, type: Type }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
fee: Fee
types: { Collection: collection, Payout: payout, Refund: refund, Reversal: payout_reversal, Adjustment: adjustment, "Top-up": top_up }
covers: { from: { row: 1, column: 2 }, to: { row: 1, column: 4 } }
`;

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
  readonly #where: { readonly folder: string; readonly database: string };

  private constructor(where: { readonly folder: string; readonly database: string }) {
    this.#where = where;
  }

  /** `lines`: `Date,Reference,Session,Type,Amount,Fee` of a file of the days `from` to `to`. */
  static async of(records: readonly Told[], lines: readonly string[], from = 1, to = 31): Promise<WalletMonth> {
    const month = new WalletMonth(await fill(records));
    await month.import('wallet.csv', lines, from, to);
    return month;
  }

  /** Expects that every row can be read, unless `code` is 3. */
  async import(name: string, lines: readonly string[], from = 1, to = 31, code = 0): Promise<void> {
    const [first, last] = [at(from).slice(0, 10), at(to).slice(0, 10)];
    const text = `From,${first},To,${last},,\nDate,Reference,Session,Type,Amount,Fee\n${lines.join('\n')}\n`;
    writeFileSync(join(this.#where.folder, name), text);
    writeFileSync(join(this.#where.folder, 'wallet.yaml'), PROFILE);
    const ended = await this.run('statements', 'import', name, '--profile', 'wallet.yaml');
    expect([ended.code, ended.code === code ? '' : ended.stdout + ended.stderr]).toEqual([code, '']);
  }

  get folder(): string {
    return this.#where.folder;
  }

  run(...args: readonly string[]) {
    const { folder: cwd, database } = this.#where;
    return command(args, { cwd, env: commandEnv(database) });
  }

  /** Carries out the command of a break's next step, for its line. */
  carryOut(one: WalletItem | undefined) {
    const [, words = ''] = /tallyhook (.*)$/.exec(one?.nextStep ?? '') ?? [];
    const place = `${one?.line?.statement}:${one?.line?.row}`;
    return this.run(...words.replace('STATEMENT:ROW', place).split(' '));
  }

  async json(...args: readonly string[]) {
    const { stdout, stderr } = await this.run(...args, '--json');
    return JSON.parse(stdout === '' ? stderr : stdout);
  }

  /** Reconciles October; holds that what is said adds up, and that nothing is unexplained. */
  async reconcile(...more: readonly string[]): Promise<WalletReport> {
    const report = (await this.json(
      'reconcile',
      '--from',
      '2026-10-01',
      '--to',
      '2026-10-31',
      ...more,
    )) as WalletReport;
    for (const { rows, unexplained } of report.proof) {
      const items = [...report.breaks, ...report.timing, ...report.suggested];
      const effects = items.reduce((sum, { effect }) => sum + minor(effect), 0n);
      expect([effects, unexplained]).toEqual([minor(rows.at(-1)?.difference ?? ''), '0.00']);
    }
    return report;
  }
}
