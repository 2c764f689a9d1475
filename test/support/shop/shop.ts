import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { type ReconcileArguments, reconcileOrder } from '../../../cli/commands/reconcile/order.ts';
import { writeReconciliation } from '../../../cli/commands/reconcile/write.ts';
import { type JournalArguments, journalText } from '../../../cli/commands/report/journal.ts';
import { type ExceptionArguments, exceptionFilter } from '../../../cli/options/exception-filters.ts';
import { exceptionJson } from '../../../cli/show/exception.ts';
import { matchJson } from '../../../cli/show/match.ts';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { CONFIG_FILE_NAME } from '../../../src/config/locate.ts';
import { checkPeriod } from '../../../src/reconcile/closing/check.ts';
import { actOnPeriod, closePeriod } from '../../../src/reconcile/closing/close.ts';
import { journalSettings, namedPeriod } from '../../../src/reconcile/closing/order.ts';
import { actOnExceptions } from '../../../src/reconcile/exceptions/act.ts';
import { followRuns } from '../../../src/reconcile/exceptions/follow.ts';
import { queueDay } from '../../../src/reconcile/exceptions/queue.ts';
import { type ImportedFile, type ImportResult, importStatement } from '../../../src/reconcile/import/import.ts';
import { removeStatement } from '../../../src/reconcile/import/remove.ts';
import { reconcileAskedDays } from '../../../src/reconcile/keep/asked-days.ts';
import { decideLine } from '../../../src/reconcile/pass/decide-line.ts';
import { decideMatch } from '../../../src/reconcile/pass/decide-match.ts';
import { loadProfile } from '../../../src/reconcile/profile/load.ts';
import { type ReportFormat, renderReport } from '../../../src/reconcile/report/render.ts';
import { periodReport } from '../../../src/reconcile/report/shown.ts';
import { loadRules } from '../../../src/reconcile/rules/load.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { checkRulesOf, storeOf } from '../../../src/store/configured-store.ts';
import type { ExceptionAct } from '../../../src/store/exceptions.ts';
import type { MatchFilter, MatchVerdict } from '../../../src/store/runs.ts';
import { openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { openArchive } from '../../../src/store/sqlite/read/archive.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
import { command } from '../command.ts';
import { commandEnv } from '../command-env.ts';
import { makeEmptyDatabase } from '../empty-database.ts';
import { FixedClock } from '../fixed-clock.ts';
import { temporaryFolder } from '../folder.ts';
import { openOperations } from '../operations.ts';
import type { PatchedProgram } from '../patched-program.ts';
import { type Ended, tallyhook } from '../tallyhook.ts';
import { confirm, keepWebhooks, RECEIVED_MS, type Told } from './records.ts';

/** When the first file is imported. */
const OPENED_MS = Date.parse('2026-11-21T09:00:00Z');
/** Rows of a list. */
const ALL = 10_000;

/** Days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** What the command line of `reconcile` says beside the days. */
export interface RunOptions extends Partial<Omit<ReconcileArguments, keyof Days>> {
  readonly dryRun?: boolean;
  readonly full?: boolean;
}

/** What becomes of exceptions, in the words of the store. */
export type Said = Partial<Omit<Resolving, 'id' | 'act'>>;
type Resolving = Extract<ExceptionAct, { readonly act: 'resolve' }>;

type Filter = Partial<ExceptionArguments>;

/**
 * A merchant's folder, in which Ada does what the commands of the reconciliation do, by the functions that they call: on this
 * thread, with one database, by a clock that only her acts move. `run` and `json` are the real program in the same folder.
 * What is returned is plain: as the command prints it with --json.
 */
export class Shop {
  readonly folder: string;
  readonly database: string;
  readonly clock = new FixedClock(OPENED_MS);
  #config: Config | undefined;
  #archive: Archive | undefined;
  #operations: OpenOperations | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.database = join(folder, 'tallyhook.db');
  }

  /** A shop that these records became known to; its folder is gone with its test. */
  static async of(records: readonly Told[] = []): Promise<Shop> {
    const shop = new Shop(temporaryFolder({ inMemory: true }));
    endWithTest(() => shop.end());
    makeEmptyDatabase(shop.database);
    await shop.#learn(records, RECEIVED_MS);
    return shop;
  }

  /** A shop in a folder that has a database. */
  static at(folder: string): Shop {
    const shop = new Shop(folder);
    endWithTest(() => shop.rest());
    return shop;
  }

  /** The program, with the key pairs of the tests; the service is not there. */
  readonly run = async (...args: readonly string[]): Promise<Ended> => {
    const ended = await command(args, {
      cwd: this.folder,
      env: { ...commandEnv(this.database), TALLYHOOK_AS: 'ada' },
    });
    this.clock.ms = Math.max(this.clock.ms, Date.now()); // the program has the clock of the machine
    return ended;
  };

  /** Runs a command of the program with a mistake in it. */
  readonly runBy = ({ launcher, env }: PatchedProgram, ...args: readonly string[]): Promise<Ended> =>
    tallyhook(args, { launcher, cwd: this.folder, env: { ...commandEnv(this.database), ...env, TALLYHOOK_AS: 'ada' } });

  readonly json = async (...args: readonly string[]) => {
    const { stdout, stderr } = await this.run(...args, '--json');
    return JSON.parse(stdout === '' ? stderr : stdout);
  };

  readonly file = (name: string, text: string | Uint8Array): void => {
    writeFileSync(join(this.folder, name), text);
    if (name === CONFIG_FILE_NAME) this.#config = undefined;
  };

  readonly path = (name: string): string => join(this.folder, name);

  /** Records that become known now. */
  readonly tell = (records: readonly Told[]): Promise<void> => this.#learn(records, this.#now());

  /** Imports a file by the profile of this name; its rows may be unreadable. */
  readonly import = async (profile: string, name: string, text: string | Uint8Array): Promise<ImportedFile> => {
    const result = await this.tryImport(profile, name, text);
    if (result.outcome !== 'imported') throw new Error(`${name} was not imported: ${result.outcome}`);
    return result;
  };

  /** The same; the file may be known. */
  readonly tryImport = async (profile: string, name: string, text: string | Uint8Array): Promise<ImportResult> => {
    this.#now();
    this.file(name, text);
    const order = { path: this.path(name), profile: loadProfile(this.path(profile)), by: 'ada' };
    return importStatement(order, this.operations.statements, UNSTOPPED);
  };

  /** Imports a file by the profile `KIND.yaml`. Returns the number of the statement. */
  readonly take = async (kind: string, name: string, text: string): Promise<number> => {
    const { statement } = await this.import(`${kind}.yaml`, name, text);
    return statement ?? Number.NaN;
  };

  readonly remove = async (statement: number): Promise<void> => {
    this.#now();
    await removeStatement({ statement, by: 'ada' }, this.operations.statements, UNSTOPPED);
  };

  /** The document of `reconcile --json`. */
  readonly reconcile = async (days: Days, options: RunOptions = {}) =>
    JSON.parse(await this.#reconciled(days, options, 'json'));

  /** The page of `reconcile`. */
  readonly page = (days: Days, options: RunOptions = {}): Promise<string> => this.#reconciled(days, options, 'table');

  async #reconciled(days: Days, { dryRun = false, full = false, ...said }: RunOptions, format: 'json' | 'table') {
    const nowMs = this.#now();
    const order = await reconcileOrder({ ...NOTHING_SAID, ...this.#filesOf(said), ...days }, this.config, nowMs);
    const open = async () => ({ ...this.operations, close: async () => {} });
    const keeping = dryRun || said.asAt !== undefined ? null : { open, isFull: full, by: 'ada' };
    const { archive } = this;
    const { result, frozen } = await reconcileAskedDays(archive, order, keeping);
    let text = '';
    const sink = {
      isStdout: false,
      write: async (piece: string) => {
        text += piece;
      },
    };
    await writeReconciliation({ archive, result, format, sink, since: frozen?.since ?? null });
    return text;
  }

  /** The file of the rules is of this folder. */
  #filesOf(said: Partial<ReconcileArguments>): Partial<ReconcileArguments> {
    return said.rules === undefined ? said : { ...said, rules: this.path(said.rules) };
  }

  /** What `exceptions list` lists, in its order. */
  readonly listed = async (filter: Filter = {}) => {
    const day = await this.#queueDay();
    const wanted = exceptionFilter({ ...NO_FILTER, ...filter }, day.today);
    const { rows } = await this.archive.exceptions(wanted, { after: null, limit: ALL });
    return plain(rows.map((one) => exceptionJson(one, day)));
  };

  readonly exception = async (id: string) => {
    const day = await this.#queueDay();
    const one = await this.archive.exception(id);
    return one === null ? null : plain(exceptionJson(one, day));
  };

  /** Acts of the queue; each must be done. */
  readonly act = async (...acts: readonly ExceptionAct[]): Promise<void> => {
    const results = await this.tryActs(...acts);
    expect(results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  };

  readonly tryActs = async (...acts: readonly ExceptionAct[]) => {
    this.#now();
    const { exceptions, periods } = this.config;
    const order = { acts, reasons: exceptions.reasons, accountSets: Object.values(periods.sets) };
    return actOnExceptions(order, this.operations.exceptions);
  };

  readonly resolve = (ids: readonly string[], said: Said): Promise<void> => this.act(...resolving(ids, said));

  /** `matches list`. */
  readonly matches = async (filter: MatchFilter = {}) => {
    const found = await this.archive.matches(filter, { limit: ALL, order: 'newest' });
    return plain(found.map(matchJson));
  };

  /** `matches confirm`, or `matches undo`. */
  readonly decide = async (id: number, verdict: MatchVerdict = 'together'): Promise<void> => {
    this.#now();
    await decideMatch({ id, verdict, ...SAID_BY_ADA }, this.archive, this.operations.runs);
  };

  /** `matches confirm --line STATEMENT:ROW --reference REFERENCE`, or `undo`. */
  readonly decidePair = async (
    line: { readonly statement: number; readonly row: number },
    reference: string,
    verdict: MatchVerdict = 'together',
  ): Promise<void> => {
    this.#now();
    const rules = await loadRules(this.config.reconcile.rules ?? undefined);
    const order = { ...line, reference, verdict, rules, ...SAID_BY_ADA };
    await decideLine(order, this.archive, this.operations.runs);
  };

  /** `period check`. */
  readonly check = async (period: string, set?: string) => {
    await followRuns(this.operations.exceptions);
    const { state, ready, items } = await checkPeriod(this.archive, await this.#period(period, set));
    return plain({ period, state, ready, items });
  };

  /** Closes a period. @throws RefusedActError */
  readonly close = async (period: string, { by = 'ada', set }: { by?: string; set?: string } = {}): Promise<void> => {
    const nowMs = this.#now();
    const { periods, exceptions } = this.operations;
    await followRuns(exceptions);
    const parts = { by, nowMs, journal: journalSettings(this.config) };
    await closePeriod({ ...(await this.#period(period, set)), ...parts }, { archive: this.archive, periods });
  };

  readonly reopen = async (name: string, reason = 'again', by = 'ada'): Promise<void> => {
    this.#now();
    const { set, period } = await this.#period(name);
    const { from, to } = period;
    await actOnPeriod({ set: set.name, period: period.name, from, to, by, reason }, this.operations.periods.reopen);
  };

  /** The report of a period, as JSON. */
  readonly report = async (period: string, set?: string) =>
    JSON.parse((await this.printed(period, 'json', set)).toString());

  readonly printed = async (period: string, format: ReportFormat, set?: string): Promise<Buffer> => {
    const { archive } = this;
    return renderReport(archive, await periodReport(archive, await this.#period(period, set)), format);
  };

  readonly journal = (period: string, said: Partial<JournalArguments> = {}): Promise<string> =>
    journalText(this.archive, this.config, { ...NO_JOURNAL, ...said, period });

  /** What the entries of a closed period leave in each account, with two decimals. */
  readonly held = async (period: string): Promise<Record<string, string>> => {
    const sums: Record<string, number> = {};
    const lines = parse(await this.journal(period), { columns: true }) as Record<string, string>[];
    for (const { account = '', debit, credit } of lines)
      sums[account] = (sums[account] ?? 0) + Number(debit) - Number(credit);
    return Object.fromEntries(Object.entries(sums).map(([account, sum]) => [account, (sum + 0).toFixed(2)]));
  };

  readonly auditVerdict = () => storeOf(this.config).auditVerdict({ noted: null });

  /** The configuration, with what `tallyhook.yaml` says since `file` wrote it. */
  get config(): Config {
    this.#config ??= loadConfig({ env: commandEnv(this.database), cwd: this.folder });
    return this.#config;
  }

  get archive(): Archive {
    this.#archive ??= openArchive(this.database, this.clock);
    return this.#archive;
  }

  get operations(): OpenOperations {
    this.#operations ??= openOperations(this.database, checkRulesOf(this.config.confirm), this.clock);
    return this.#operations;
  }

  /** Closes its connections; the next act opens them again. */
  rest(): void {
    void this.#archive?.close();
    void this.#operations?.close();
    this.#archive = undefined;
    this.#operations = undefined;
  }

  /** Closes its connections, and removes its folder: of thousands in one test none may stay. */
  end(): void {
    this.rest();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #learn(records: readonly Told[], nowMs: number): Promise<void> {
    if (records.length === 0) return;
    const database = openDatabase(this.database);
    keepWebhooks(database, records, nowMs);
    database.close();
    const { ms } = this.clock;
    this.clock.ms = nowMs;
    await confirm(this.operations, records);
    this.clock.ms = ms;
  }

  #period(period: string, set?: string) {
    return namedPeriod({ period, set }, this.archive, this.config);
  }

  async #queueDay() {
    await followRuns(this.operations.exceptions);
    return queueDay(this.config, this.clock.ms);
  }

  /** The time of the next act: a millisecond later, so that it is never ahead of the program that is run after it. */
  #now(): number {
    this.clock.ms += 1;
    return this.clock.ms;
  }
}

/** The acts that resolve these exceptions; what is not said is missing. */
export function resolving(ids: readonly string[], said: Said): ExceptionAct[] {
  return ids.map((id) => ({ ...UNSAID, ...said, id, act: 'resolve' }));
}

const UNSAID: Omit<Resolving, 'id' | 'act'> = {
  resolution: 'accept',
  reasonCode: 'bank_charge',
  reference: null,
  comment: null,
  followUp: null,
  by: 'ada',
  attachments: [],
  lines: [],
};

const NOTHING_SAID: Omit<ReconcileArguments, keyof Days> = {
  what: 'all',
  asAt: undefined,
  account: undefined,
  rules: undefined,
  environment: undefined,
  zone: undefined,
  cutOff: undefined,
};

const NO_FILTER: ExceptionArguments = {
  environment: undefined,
  reference: undefined,
  status: undefined,
  code: undefined,
  leg: undefined,
  account: undefined,
  currency: undefined,
  assignee: undefined,
  age: undefined,
  period: undefined,
  minValue: undefined,
  maxValue: undefined,
};

const NO_JOURNAL: Omit<JournalArguments, 'period'> = {
  set: undefined,
  by: undefined,
  without: undefined,
  format: 'csv',
  draft: false,
};

const SAID_BY_ADA = { by: 'ada', comment: null, shown: (atMs: number) => new Date(atMs).toISOString() };

const UNSTOPPED = { signal: new AbortController().signal };

/** As it is printed with --json. */
function plain(value: unknown) {
  return JSON.parse(JSON.stringify(value));
}

const waiting: { readonly end: () => void; readonly testPath: string | undefined }[] = [];

/** What a test opens ends with it; what a hook opens, once another file opens something. */
function endWithTest(end: () => void): void {
  const { testPath } = expect.getState();
  for (const other of waiting.filter((one) => one.testPath !== testPath)) {
    waiting.splice(waiting.indexOf(other), 1);
    other.end();
  }
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(end);
  else waiting.push({ end, testPath });
}
