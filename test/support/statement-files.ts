import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command.ts';
import type { Ended } from './tallyhook.ts';

/* Statements of a wallet as CSV, and the profile that reads them. */

export const PROFILE = `version: 1
name: wallet-standard
kind: wallet
account: wallet-main
environment: test
currency: NGN
file: { format: csv }
zone: Africa/Lagos
dateFormat: yyyy-MM-dd
columns: { date: Date, reference: Reference, type: Type, text: Details }
amount: { signed: Amount }
number: { decimal: "." }
types: { Collection: collection, Payout: payout }
balance: { running: Balance }
`;

/** Lines of a wallet: reference and amount in minor units each; the running balance begins at `opening`, 1,000.00. */
export function walletCsv(
  lines: readonly (readonly [reference: string, minor: number, day?: string])[],
  opening = 100_000,
): string {
  let balance = opening;
  const rows = lines.map(([reference, minor, day = '2026-10-01']) => {
    balance += minor;
    const cells = [day, reference, minor < 0 ? 'Payout' : 'Collection', '', text(minor), text(balance)];
    return cells.join(',');
  });
  return ['Date,Reference,Type,Details,Amount,Balance', ...rows, ''].join('\n');
}

function text(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The program in a folder with a database, and files there. */
export class StatementFolder {
  readonly cwd: string;
  readonly database: string;

  constructor(cwd: string) {
    this.cwd = cwd;
    this.database = join(cwd, 'tallyhook.db');
    this.file('wallet.yaml', PROFILE);
  }

  file(name: string, content: string): string {
    writeFileSync(join(this.cwd, name), content);
    return name;
  }

  get env(): Record<string, string> {
    return { TALLYHOOK_DATABASE: this.database };
  }

  run(...args: readonly string[]): Promise<Ended> {
    return command(['statements', ...args], { cwd: this.cwd, env: this.env });
  }

  import(...files: readonly string[]): Promise<Ended> {
    return this.run('import', ...files, '--profile', 'wallet.yaml');
  }

  /** The JSON document of a command. */
  async json(...args: readonly string[]) {
    const { stdout, stderr } = await this.run(...args, '--json');
    return JSON.parse(stdout === '' ? stderr : stdout);
  }

  importJson(...files: readonly string[]) {
    return this.json('import', ...files, '--profile', 'wallet.yaml');
  }
}
