import { join } from 'node:path';
import type { AuditVerdict } from '../../src/domain/audit/fault.ts';
import type { Head } from '../../src/domain/audit/head.ts';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import { type AuditKey, auditKey, usualKeyFile } from '../../src/store/sqlite/engine/audit-key.ts';
import { type Database, openDatabase, writing } from '../../src/store/sqlite/engine/database.ts';
import { auditVerdict, auditVerdicts } from '../../src/store/sqlite/read/audit-fault.ts';
import { auditWrites } from '../../src/store/sqlite/write/audit.ts';
import type { Handle } from '../contract/store/handle.ts';
import { begun, lineOf, linesOf, orderOf, totalsOf, unreadable } from '../contract/store/importing.ts';
import { wholeRun } from '../contract/store/matching.ts';
import { openOperations } from './operations.ts';
import { START_MS, TestDatabase } from './test-database.ts';

/** A database in which every table that the audit chain covers has rows, written as in production. */
export class AuditedDatabase {
  readonly db = new TestDatabase();
  readonly operations = openOperations(this.db.path, STANDARD_CHECK_RULES);
  readonly handle = { operations: async () => this.operations } as unknown as Handle;
  readonly keyFile = usualKeyFile(this.db.path);
  readonly key = auditKey(this.keyFile, this.db.path);
  readonly audit = auditWrites(this.db.database, this.key);
  #intruder: ReturnType<typeof openIntruder> | undefined;

  /** Two statements that share lines, rules of a run, a decision, a prune, and an entry of many subjects. */
  async fill(): Promise<void> {
    await this.import('aab', { first: true });
    await this.import('abc', { first: false });
    await wholeRun(this.handle, {});
    await this.decide('together');
    await this.decide('apart');
    this.append('prune', 'prune:2026-11-01T00:00:00.000Z');
    const digest = this.audit.digestOf('decision:1');
    const touched = [{ subject: 'decision:1', before: digest, after: digest }];
    writing(this.db.database, () =>
      this.audit.append({ who: 'tallyhook', act: 'run.follow', subject: 'run:1', touched, nowMs: START_MS }),
    )();
  }

  async import(letters: string, { first }: { readonly first: boolean }): Promise<number> {
    const { statements } = this.operations;
    const statement = await begun(this.handle, orderOf(letters));
    const lines = linesOf(letters).map((line) => ({ ...line, text: 'a text', counterparty: 'a person', fee: 1n }));
    await statements.keep({ statement, lines, unparsed: [unreadable(9)] });
    const balances = [{ currency: 'NGN', opening: 1n, closing: 2n, sum: 3n }];
    const controls = [
      { control: 'rows', currency: 'NGN', stated: 4n, computed: 3n, row: 1, cell: { row: 1, column: 'Rows' } } as const,
    ];
    const covers = { from: '2026-11-01', to: '2026-11-30' };
    const totals = totalsOf(letters.length, { unparsed: 1, balances, covers, controls: first ? controls : [] });
    await statements.finish({ statement, totals, by: 'Ada' });
    return statement;
  }

  async decide(verdict: 'together' | 'apart'): Promise<void> {
    const { reference } = lineOf('a', 2);
    const pair = { leg: 'records-wallet', lineId: 1, kind: 'collection', environment: 'test' } as const;
    await this.operations.runs.decide({ ...pair, reference: reference ?? '', verdict, by: 'Bob', comment: 'why' });
  }

  /** An entry that changes no row. */
  append(act: 'prune' | 'replay', subject: string, who = 'Ada', nowMs = START_MS): number {
    const work = () => this.audit.append({ who, act, subject, before: null, after: null, nowMs });
    return writing(this.db.database, work)();
  }

  verdict(noted: Head | null = null): AuditVerdict {
    return auditVerdict(this.db.database, this.key, noted);
  }

  /** The verdict after `sql`, which another program ran; then all is as before. */
  verdictAfter(...sql: readonly string[]): AuditVerdict {
    this.#intruder ??= openIntruder(this.db.path, this.key);
    return undone(this.#intruder.database, sql, this.#intruder.verdict);
  }

  /** The same after a table was dropped: no statement that was compiled before runs without it. */
  verdictWithout(table: string): AuditVerdict {
    this.#intruder ??= openIntruder(this.db.path, this.key);
    const { database } = this.#intruder;
    return undone(database, [`DROP TABLE ${table}`], () => auditVerdict(database, this.key, null));
  }

  async remove(): Promise<void> {
    this.#intruder?.database.close();
    await this.operations.close();
    this.db.remove();
  }

  at(name: string): string {
    return join(this.db.folder, name);
  }
}

/** A connection that takes any row. Its settings stay: the engine compiles all statements anew when one changes. */
function openIntruder(path: string, key: AuditKey) {
  const database = openDatabase(path);
  database.pragma('foreign_keys = OFF');
  database.pragma('ignore_check_constraints = ON');
  return { database, verdict: auditVerdicts(database, key) };
}

function undone(
  database: Database,
  sql: readonly string[],
  verdict: (noted: Head | null) => AuditVerdict,
): AuditVerdict {
  database.exec('BEGIN');
  try {
    for (const one of sql) database.exec(one);
    return verdict(null);
  } finally {
    database.exec('ROLLBACK');
  }
}
