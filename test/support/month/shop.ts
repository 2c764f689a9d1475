import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { command } from '../command.ts';
import type { Ended } from '../tallyhook.ts';
import { commandEnv, fill, type Told } from './fill.ts';
import { at, told } from './told.ts';

/** A collection of 5 October that succeeded. */
export function sale(reference: string, amount: string, fees = '0.00'): Told {
  const times = { created_at: at(5), paid_at: at(5), updated_at: at(5) };
  return told('collection', reference, { amount, requested_amount: amount, fees, ...times });
}

/** Days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A folder with a database of records, in which Ada runs one command after the other. */
export class Shop {
  readonly folder: string;
  readonly #database: string;

  private constructor({ folder, database }: { readonly folder: string; readonly database: string }) {
    this.folder = folder;
    this.#database = database;
  }

  static async of(records: readonly Told[]): Promise<Shop> {
    return new Shop(await fill(records));
  }

  /** Records that become known now. */
  async tell(records: readonly Told[]): Promise<void> {
    await fill(records, this.folder, Date.now());
  }

  readonly file = (name: string, text: string): void => writeFileSync(join(this.folder, name), text);

  readonly run = (...args: readonly string[]): Promise<Ended> =>
    command(args, { cwd: this.folder, env: { ...commandEnv(this.#database), TALLYHOOK_AS: 'ada' } });

  readonly json = async (...args: readonly string[]) => {
    const { stdout, stderr } = await this.run(...args, '--json');
    return JSON.parse(stdout === '' ? stderr : stdout);
  };

  /** Imports a file by the profile `KIND.yaml`; its rows may be unreadable. Returns the number of the statement. */
  readonly take = async (kind: string, name: string, text: string): Promise<number> => {
    this.file(name, text);
    const { statement, error } = await this.json('statements', 'import', name, '--profile', `${kind}.yaml`);
    expect(error).toBeUndefined();
    return statement;
  };

  readonly reconcile = ({ from, to }: Days, ...more: readonly string[]) =>
    this.json('reconcile', '--from', from, '--to', to, ...more);

  readonly listed = async (...filter: readonly string[]) =>
    (await this.json('exceptions', 'list', ...filter)).exceptions;

  readonly close = async (period: string): Promise<void> => {
    expect(await this.run('period', 'close', period)).toMatchObject({ code: 0, stderr: '' });
  };

  /** What the entries of a closed period leave in each account, with two decimals. */
  readonly held = async (period: string): Promise<Record<string, string>> => {
    const { stdout } = await this.run('report', 'journal', period);
    const sums: Record<string, number> = {};
    for (const { account = '', debit, credit } of parse(stdout, { columns: true }) as Record<string, string>[]) {
      sums[account] = (sums[account] ?? 0) + Number(debit) - Number(credit);
    }
    return Object.fromEntries(Object.entries(sums).map(([account, sum]) => [account, (sum + 0).toFixed(2)]));
  };
}
