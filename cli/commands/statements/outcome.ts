import type { RivalFiles } from '../../../src/domain/balance/rivals.ts';
import { EXIT_CODE, TallyhookError } from '../../../src/domain/error.ts';
import type { UnparsedRow } from '../../../src/domain/statements/statement.ts';
import { counted } from '../../../src/domain/text/quantity-text.ts';
import { rivalsOf } from '../../../src/reconcile/balance/rivals-of.ts';
import type { ImportedFile, ImportResult } from '../../../src/reconcile/import/import.ts';
import { accountText, balanceTexts, rivalTexts } from '../../../src/reconcile/import/words.ts';
import type { Profile } from '../../../src/reconcile/profile/load.ts';
import type { StatementSummary } from '../../../src/store/statements.ts';
import type { Store } from '../../../src/store/store.ts';
import { DIFFERENCES_FOUND, note, print, printJson } from '../../show/output.ts';
import { rivalJson } from '../../show/rivals.ts';
import { printProblems, printUnknownTypes, sourceJson, totalsJson, unparsedJson } from '../../show/statement.ts';

interface ImportArguments {
  readonly file: readonly string[];
  readonly json: boolean | undefined;
  readonly dryRun: boolean;
}

/** Prints what became of each file, and sets the exit code: that of the first file that failed, else 3 when one differs. */
export class ImportOutcome {
  readonly #store: Store;
  readonly #profile: Profile;
  readonly #argv: ImportArguments;
  readonly #documents: unknown[] = [];
  #failed: number | null = null;
  #differs = false;

  constructor(store: Store, profile: Profile, argv: ImportArguments) {
    this.#store = store;
    this.#profile = profile;
    this.#argv = argv;
  }

  /** Imports one file. An error is that of the command when it is the only file; else the others are imported all the same. */
  async add(path: string, work: () => Promise<ImportResult>): Promise<void> {
    try {
      const result = await work();
      if (result.outcome === 'stopped') throw stopped(path);
      if (result.outcome === 'known') await this.#known(path, result.statement);
      else await this.#imported(result);
    } catch (error) {
      if (this.#argv.file.length === 1 || !(error instanceof TallyhookError)) throw error;
      const { kind, message, hint = null } = error;
      this.#failed ??= EXIT_CODE[kind];
      this.#documents.push({ file: path, error: { kind, message, hint, exitCode: EXIT_CODE[kind] } });
      note(`tallyhook: ${message}`);
      if (hint !== null) note(hint);
    }
  }

  end(): void {
    const { file, json } = this.#argv;
    const [only] = this.#documents;
    if (json && file.length > 1) {
      const shown = this.#documents.length;
      printJson({ items: this.#documents, shown, total: file.length, more: shown < file.length });
    } else if (json && only !== undefined) printJson(only);
    if (this.#failed !== null) process.exitCode = this.#failed;
    else if (this.#differs) process.exitCode = DIFFERENCES_FOUND;
  }

  async #imported(result: ImportedFile): Promise<void> {
    const { statement, account, file, totals, unparsed, known } = result;
    const rivals = statement === null ? [] : await this.#rivals(statement);
    this.#differs ||= totals.unparsed > 0 || totals.controls.length > 0 || rivals.length > 0;
    const facts = { statement, account, file, lines: totals.lines, new: result.new, known };
    if (this.#argv.json) {
      const document = this.#json(result.outcome, facts, totals, unparsed, result.unknownTypes);
      this.#documents.push({ ...document, rivals: statement === null ? null : rivals.map(rivalJson) });
    } else {
      const head = statement === null ? 'Not imported (--dry-run)' : `Statement ${statement}`;
      const unread = totals.unparsed === 0 ? '' : `, ${counted(totals.unparsed, 'row')} not readable`;
      const counts = `${counted(totals.lines, 'line')}: ${result.new} new, ${known} known${unread}`;
      print(`${head}: ${file.name} into ${accountText(account)}: ${counts}`);
      for (const text of balanceTexts(totals)) print(`  ${text}`);
      printProblems(unparsed, totals.unparsed, { file: file.name, controls: totals.controls });
      printUnknownTypes(result.unknownTypes);
      for (const text of rivals.flatMap(rivalTexts)) note(`  ${text}`);
    }
  }

  async #rivals(statement: number): Promise<RivalFiles[]> {
    const archive = await this.#store.archive();
    try {
      return await rivalsOf(archive, statement);
    } finally {
      await archive.close();
    }
  }

  /** What the statement that has the file already says; nothing was written. */
  async #known(path: string, id: number): Promise<void> {
    const archive = await this.#store.archive();
    try {
      const summary = await archive.statement(id);
      if (summary === null) return;
      const unparsed = await archive.unparsedRows(id);
      if (this.#argv.json) {
        const facts = { ...summary, new: 0, known: summary.lines };
        this.#documents.push({ ...this.#json('known', facts, summary, unparsed, []), rivals: null });
      } else {
        const { account, file } = summary;
        const name = file.name === path ? '' : ` as ${file.name}`;
        print(
          `${path} is known: it was imported${name} into ${accountText(account)}, statement ${id}. Nothing changed.`,
        );
      }
    } finally {
      await archive.close();
    }
  }

  #json(
    outcome: ImportResult['outcome'],
    { statement, account, file, lines, new: fresh, known }: ImportFacts,
    totals: ImportedFile['totals'],
    unparsed: readonly UnparsedRow[],
    unknownTypes: ImportedFile['unknownTypes'],
  ) {
    return {
      outcome,
      statement,
      ...sourceJson({ account, file }),
      profile: this.#profile.source.name,
      lines,
      new: fresh,
      known,
      unparsedRows: totals.unparsed,
      unparsed: unparsed.map(unparsedJson),
      unknownTypes,
      ...totalsJson(totals),
    };
  }
}

function stopped(path: string): TallyhookError {
  const hint = 'Import it again; what was read of it is not in the way.';
  return new TallyhookError(`Stopped: nothing of ${path} shows.`, { kind: 'failed', hint });
}

interface ImportFacts extends Pick<StatementSummary, 'account' | 'file' | 'lines' | 'new'> {
  readonly statement: number | null;
  readonly known: number;
}
