import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_REASONS } from '../../src/domain/exceptions/reasons.ts';
import type { ExceptionAct } from '../../src/store/exceptions.ts';
import { openStore } from '../../src/store/open.ts';
import { command } from './command.ts';
import { PROFILE } from './statement-files.ts';
import { type Ended, tallyhook } from './tallyhook.ts';
import type { TestDatabase } from './test-database.ts';

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
  readonly #db: TestDatabase;

  constructor(db: TestDatabase) {
    this.#db = db;
    writeFileSync(join(db.folder, 'wallet.yaml'), PROFILE);
  }

  get env(): Record<string, string> {
    return { TALLYHOOK_DATABASE: this.#db.path };
  }

  run(...args: readonly string[]): Promise<Ended> {
    return command(args, { cwd: this.#db.folder, env: this.env });
  }

  /** In a process of its own. */
  alone(...args: readonly string[]): Promise<Ended> {
    return tallyhook(args, { cwd: this.#db.folder, env: this.env });
  }

  /** What the command prints as JSON; its exit code as `code`. */
  async json(...args: readonly string[]) {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    return { code, ...JSON.parse(stdout === '' ? stderr : stdout) };
  }

  /** Returns the number of the statement, of which rows may be unreadable. */
  async import(name: string, ...rows: readonly (readonly string[])[]): Promise<number> {
    const { code, stdout, stderr } = await this.tryImport(name, rows, '--json');
    if (code !== 0 && code !== 3) throw new Error(stderr);
    return JSON.parse(stdout).statement;
  }

  tryImport(name: string, rows: readonly (readonly string[])[], ...more: readonly string[]): Promise<Ended> {
    writeFileSync(join(this.#db.folder, name), `${[HEADER, ...rows.map((row) => row.join(','))].join('\n')}\n`);
    return this.run('statements', 'import', name, '--profile', 'wallet.yaml', ...more);
  }

  async reconcile(from = '2026-10-01', to = '2026-10-31'): Promise<void> {
    const { code, stderr } = await this.run('reconcile', '--from', from, '--to', to);
    if (code !== 0 && code !== 3) throw new Error(stderr);
  }

  /** Resolves everything that is open and did not come late: differences that we bear, or carry. */
  async resolveAll({ by = 'Ada', carry = [] }: { by?: string; carry?: readonly string[] } = {}): Promise<void> {
    const { archive, operations } = await this.#open();
    const { rows } = await archive.exceptions({ unresolved: true }, { after: null, limit: 500 });
    const acts = rows
      .filter(({ code }) => code !== 'late_arrival')
      .map(({ id, reference }) => ({ ...(carry.includes(reference ?? '') ? CARRIED : ACCEPTED), id, by }));
    const results = await operations.exceptions.act({ acts, reasons: STANDARD_REASONS });
    await operations.close();
    await archive.close();
    const refused = results.find(({ outcome }) => outcome === 'refused');
    if (refused !== undefined) throw new Error(JSON.stringify(refused));
  }

  /** Claims the one exception of a reference from the service. Returns its id. */
  async claim(reference: string, by = 'Ada'): Promise<string> {
    const { archive, operations } = await this.#open();
    const [found] = await archive.exceptionsNaming(reference);
    const id = found?.id ?? '';
    const [result] = await operations.exceptions.act({ acts: [{ ...CLAIMED, id, by }], reasons: STANDARD_REASONS });
    await operations.close();
    await archive.close();
    if (result?.outcome !== 'done') throw new Error(JSON.stringify(result));
    return id;
  }

  /** How the exceptions of a reference stand: code and status. */
  async standing(reference: string): Promise<string[]> {
    const { archive, operations } = await this.#open();
    const found = await archive.exceptionsNaming(reference);
    await operations.close();
    await archive.close();
    return found.map(({ code, status }) => `${code} ${status}`).sort();
  }

  async #open() {
    const store = openStore(this.#db.path, { auditKey: join(this.#db.folder, 'audit.key') });
    return { archive: await store.archive(), operations: await store.operations() };
  }

  /** October as it can be closed. */
  async ready(): Promise<void> {
    await this.import('october.csv', OCTOBER, ['2026-10-31', 'C-2', 'Collection', '', '50.00', '1150.00']);
    await this.reconcile();
    await this.resolveAll();
  }
}
