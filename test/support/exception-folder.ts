import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command.ts';
import { PROFILE, walletCsv } from './statement-files.ts';
import { collection, type TestDatabase } from './test-database.ts';

type Lines = Parameters<typeof walletCsv>[0];

/** A folder with a database in which the program reconciles October 2026 by its own commands. */
export class ExceptionFolder {
  readonly #db: TestDatabase;
  /** Statements that were imported. */
  #files = 0;

  constructor(db: TestDatabase) {
    this.#db = db;
    writeFileSync(join(db.folder, 'wallet.yaml'), PROFILE);
  }

  /** A collection that the webhooks report as paid on a day, in minor units. */
  paid(reference: string, minor: number, day = '2026-10-01'): void {
    const text = `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
    const money = { amount: text, requested_amount: text, fees: '0.00', currency: 'NGN' };
    const at = `${day}T10:00:00Z`;
    this.#db.keepAndApply(
      collection(reference, 'success', { updatedAt: at, data: { ...money, created_at: at, paid_at: at } }),
    );
  }

  async run(...args: readonly string[]) {
    return command(args, { cwd: this.#db.folder, env: { TALLYHOOK_DATABASE: this.#db.path, TALLYHOOK_AS: 'ada' } });
  }

  async json(...args: readonly string[]) {
    const { stdout, stderr } = await this.run(...args, '--json');
    return JSON.parse(stdout === '' ? stderr : stdout);
  }

  /** Imports a statement with these lines; returns its number. */
  async import(lines: Lines): Promise<number> {
    const name = `wallet-${++this.#files}.csv`;
    writeFileSync(join(this.#db.folder, name), walletCsv(lines));
    return (await this.json('statements', 'import', name, '--profile', 'wallet.yaml')).statement;
  }

  /** The breaks of a run of October, each with its exception. */
  async reconcile(...args: readonly string[]) {
    return this.json('reconcile', '--from', '2026-10-01', '--to', '2026-10-31', ...args);
  }
}
