import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import type { KeptBreak, KeptMatch } from '../../src/store/runs.ts';
import { command } from './command.ts';
import { BREAK } from './fee-break.ts';
import { FixedClock } from './fixed-clock.ts';
import { PROFILE, walletCsv } from './statement-files.ts';
import type { TestDatabase } from './test-database.ts';

/* What a reconciliation keeps, beside a wallet's statement, for the commands that show it. */

/** A folder with a database, a statement of a wallet and the runs that a test writes. */
export class ReconciledFolder {
  readonly #db: TestDatabase;
  readonly clock = new FixedClock();

  constructor(db: TestDatabase) {
    this.#db = db;
  }

  run(...args: readonly string[]) {
    return command(args, { cwd: this.#db.folder, env: { TALLYHOOK_DATABASE: this.#db.path } });
  }

  async json(...args: readonly string[]) {
    const { stdout, stderr } = await this.run(...args, '--json');
    return JSON.parse(stdout === '' ? stderr : stdout);
  }

  async import(name: string, lines: Parameters<typeof walletCsv>[0]): Promise<void> {
    writeFileSync(join(this.#db.folder, 'wallet.yaml'), PROFILE);
    writeFileSync(join(this.#db.folder, name), walletCsv(lines));
    const ended = await this.run('statements', 'import', name, '--profile', 'wallet.yaml');
    if (ended.code !== 0) throw new Error(ended.stderr);
  }

  /** A person takes the line that names `line` and a collection apart, which no run brought together. */
  async undo(line: string, reference: string, by: string): Promise<void> {
    const store = openStore(this.#db.path, { clock: this.clock });
    const [archive, operations] = [await store.archive(), await store.operations()];
    const [found] = await archive.linesNaming(line, 1);
    const pair = { leg: 'records-wallet', kind: 'collection', environment: 'test', reference } as const;
    await operations.runs.decide({ ...pair, lineId: found?.lineId ?? 0, verdict: 'apart', by, comment: null });
    await operations.close();
    await archive.close();
  }

  /** Keeps a whole run; a match names its line by the reference on it. */
  async keep(contents: {
    readonly matches?: readonly (Partial<KeptMatch> & { readonly line: string })[];
    readonly ended?: readonly number[];
    readonly breaks?: readonly Partial<KeptBreak>[];
  }): Promise<void> {
    const store = openStore(this.#db.path, { clock: this.clock });
    const [archive, operations] = [await store.archive(), await store.operations()];
    const { runs } = operations;
    const { run } = await runs.beginRun({
      ...{ from: '2026-10-01', to: '2026-10-31', asAtMs: this.clock.ms, zone: 'Africa/Lagos', cutOffMinutes: 0 },
      ...{ environment: null, account: null, what: 'all', rules: { name: 'standard', digest: 'd', text: '' } },
    });
    const matches: KeptMatch[] = [];
    for (const { line, ...over } of contents.matches ?? []) {
      const [found] = await archive.linesNaming(line, 1);
      matches.push({ ...MATCH, lineId: found?.lineId ?? 0, reference: line, ...over });
    }
    await runs.keepMatches({ run, matches });
    await runs.endMatches({ run, ids: contents.ended ?? [] });
    await runs.keepBreaks({ run, breaks: (contents.breaks ?? []).map((one) => ({ ...BREAK, ...one })) });
    await runs.finishRun({ run, report: '{}' });
    await operations.close();
    await archive.close();
  }
}

const MATCH: Omit<KeptMatch, 'lineId' | 'reference'> = {
  leg: 'records-wallet',
  kind: 'collection',
  recordId: null,
  pass: 'reference',
  state: 'confirmed',
};
