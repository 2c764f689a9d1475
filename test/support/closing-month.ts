import type { ExceptionAct } from '../../src/store/exceptions.ts';
import { Shop } from './shop/shop.ts';
import { PROFILE } from './statement-files.ts';
import { type Ended, tallyhook } from './tallyhook.ts';

/* October of one wallet, ready to be closed: lines without records, which a person resolves. */

export const OCTOBER = ['2026-10-01', 'C-1', 'Collection', '', '100.00', '1100.00'];
const HEADER = 'Date,Reference,Type,Details,Amount,Balance';
const ACCEPTED = {
  ...{ act: 'resolve', resolution: 'accept', reasonCode: 'bank_charge', reference: null, comment: null },
  ...{ followUp: null, attachments: [], lines: [] },
} as const satisfies Partial<ExceptionAct>;

const CARRIED = { ...ACCEPTED, resolution: 'carry', reasonCode: 'next_period' } as const;
const CLAIMED = {
  ...ACCEPTED,
  resolution: 'claim',
  reasonCode: 'service_error',
  reference: 'CLM-7',
  followUp: '2027-01-15',
} as const;

export class ClosingMonth {
  readonly shop: Shop;

  /** In a folder that has a database. */
  constructor({ folder }: { readonly folder: string }) {
    this.shop = Shop.at(folder);
    this.shop.file('wallet.yaml', PROFILE);
  }

  /** In a folder of its own. */
  static async of(): Promise<ClosingMonth> {
    return new ClosingMonth(await Shop.of());
  }

  get env(): Record<string, string> {
    return { TALLYHOOK_DATABASE: this.shop.database };
  }

  run(...args: readonly string[]): Promise<Ended> {
    return this.shop.run(...args);
  }

  /** In a process of its own. */
  alone(...args: readonly string[]): Promise<Ended> {
    return tallyhook(args, { cwd: this.shop.folder, env: this.env });
  }

  /** What the command prints as JSON; its exit code as `code`. */
  async json(...args: readonly string[]) {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    return { code, ...JSON.parse(stdout === '' ? stderr : stdout) };
  }

  /** Returns the number of the statement, of which rows may be unreadable. */
  import(name: string, ...rows: readonly (readonly string[])[]): Promise<number> {
    return this.shop.take('wallet', name, csvOf(rows));
  }

  tryImport(name: string, rows: readonly (readonly string[])[], ...more: readonly string[]): Promise<Ended> {
    this.shop.file(name, csvOf(rows));
    return this.run('statements', 'import', name, '--profile', 'wallet.yaml', ...more);
  }

  async reconcile(from = '2026-10-01', to = '2026-10-31'): Promise<void> {
    await this.shop.reconcile({ from, to });
  }

  /** Resolves everything that is open and did not come late: differences that we bear, or carry. */
  async resolveAll({ by = 'Ada', carry = [] }: { by?: string; carry?: readonly string[] } = {}): Promise<void> {
    const { rows } = await this.shop.archive.exceptions({ unresolved: true }, { after: null, limit: 500 });
    const acts = rows
      .filter(({ code }) => code !== 'late_arrival')
      .map(({ id, reference }) => ({ ...(carry.includes(reference ?? '') ? CARRIED : ACCEPTED), id, by }));
    await this.shop.act(...acts);
  }

  /** Claims the one exception of a reference from the service. Returns its id. */
  async claim(reference: string, by = 'Ada'): Promise<string> {
    const [found] = await this.shop.archive.exceptionsNaming(reference);
    const id = found?.id ?? '';
    await this.shop.act({ ...CLAIMED, id, by });
    return id;
  }

  /** How the exceptions of a reference stand: code and status. */
  async stateOf(reference: string): Promise<string[]> {
    const found = await this.shop.archive.exceptionsNaming(reference);
    return found.map(({ code, status }) => `${code} ${status}`).sort();
  }

  /** October as it can be closed. */
  async ready(): Promise<void> {
    await this.import('october.csv', OCTOBER, ['2026-10-31', 'C-2', 'Collection', '', '50.00', '1150.00']);
    await this.reconcile();
    await this.resolveAll();
  }
}

function csvOf(rows: readonly (readonly string[])[]): string {
  return `${[HEADER, ...rows.map((row) => row.join(','))].join('\n')}\n`;
}
