import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { command } from '../command.ts';
import { commandEnv } from '../command-env.ts';
import type { FilePlan } from './files.ts';
import { profileOf } from './profile.ts';
import { writeFile } from './write-file.ts';

/* What a finance person does with the program in a folder: commands, and a spreadsheet. */

export type Row = Readonly<Record<string, string>>;

export class Finance {
  readonly folder: string;
  readonly #database: string;
  #sheets = 0;

  constructor({ folder, database }: { readonly folder: string; readonly database: string }) {
    this.folder = folder;
    this.#database = database;
  }

  run(...words: readonly string[]) {
    return command(words, { cwd: this.folder, env: commandEnv(this.#database) });
  }

  /** What the command prints as JSON, and its exit code as `code`. */
  async json(...words: readonly string[]) {
    const { code, stdout, stderr } = await this.run(...words, '--json');
    return { code, ...JSON.parse(stdout === '' ? stderr : stdout) };
  }

  /** Imports a file by a profile of its own. Returns the number of the statement. */
  async import(plan: FilePlan): Promise<number> {
    const { name, bytes } = writeFile(plan);
    const profile = `${plan.account.name}-${plan.dialect.name}.yaml`;
    writeFileSync(join(this.folder, name), bytes);
    writeFileSync(join(this.folder, profile), profileOf(plan));
    const { code, statement } = await this.json('statements', 'import', name, '--profile', profile);
    if (code !== 0 && code !== 3) throw new Error(`${name} was refused.`);
    return statement;
  }

  csv(name: string): Row[] {
    return parse(readFileSync(join(this.folder, name)), { bom: true, columns: true }) as Row[];
  }

  /** Exports the queue, writes what `decide` says of each row that is not resolved, and imports it; returns the answer and the rows as exported. */
  async resolve(
    by: string,
    decide: (row: Row) => Row,
  ): Promise<{ rows: Row[]; answer: Record<string, unknown> & { code: number } }> {
    const name = `queue-${++this.#sheets}.csv`;
    const exported = await this.run('exceptions', 'export', '--environment', 'test', '--out', name);
    if (exported.code !== 0) throw new Error(exported.stderr);
    const rows = this.csv(name);
    const filled = rows.map((row) =>
      row.id === 'total' || row.status === 'resolved' ? row : { ...row, ...decide(row) },
    );
    // Sorted by a person, and saved with semicolons by another program.
    const text = stringify(filled.toReversed(), { header: true, bom: true, delimiter: ';', record_delimiter: '\r\n' });
    writeFileSync(join(this.folder, name), text);
    return {
      rows: rows.filter(({ id }) => id !== 'total'),
      answer: await this.json('exceptions', 'import', name, '--as', by),
    };
  }

  /** The lines of the journal of October as the program that imports it reads them; with its text for hledger beside it. */
  async journal(): Promise<{ lines: Row[]; hledger: string }> {
    for (const name of ['journal.csv', 'month.journal'])
      if (existsSync(join(this.folder, name))) rmSync(join(this.folder, name));
    const words = ['report', 'journal', '2026-10', '--set', 'test', '--out'];
    for (const one of [['journal.csv'], ['month.journal', '--format', 'hledger']]) {
      const { code, stderr } = await this.run(...words, ...one);
      if (code !== 0) throw new Error(stderr);
    }
    return { lines: this.csv('journal.csv'), hledger: readFileSync(join(this.folder, 'month.journal'), 'utf8') };
  }
}
