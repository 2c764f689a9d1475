import type { Credential } from '../../../src/domain/access/proof.ts';
import type { CheckRules } from '../../../src/domain/checks/next-check.ts';
import type { ProcessName } from '../../../src/store/caller.ts';
import type { Refusal, RefusalCount } from '../../../src/store/inbox.ts';
import type { Operations } from '../../../src/store/operations.ts';
import type { EntryRow } from '../../../src/store/sqlite/log/reader.ts';

/** One write of a database as it was carried out first: everything that it may read beside the database itself. */
export type Write =
  | {
      readonly what: 'call';
      readonly group: keyof Operations;
      readonly method: string;
      readonly input: unknown;
      readonly nowMs: number;
      readonly caller: ProcessName;
      readonly credential: Credential | null;
      /** The processes that the caller found gone. */
      readonly gone: ProcessName[];
    }
  | { readonly what: 'request'; readonly method: string; readonly input: readonly unknown[]; readonly zone: string }
  | { readonly what: 'refusals'; readonly counts: readonly RefusalCount[]; readonly samples: readonly Refusal[] }
  /** The deliveries of one transaction; without entries something was carried out that had been set aside. */
  | { readonly what: 'log'; readonly entries: readonly EntryRow[]; readonly nowMs: number };

/** What a database is carried out with, beside its writes. */
export interface Settings {
  readonly zone: string;
  readonly encryption: { readonly keyHex: string; readonly ivHex: string } | null;
  readonly debounceMs: number;
  readonly checkRules: CheckRules;
  readonly auditKey: string;
}

/** Where the writes of a database are recorded; they are while this file is there. */
export function writesOf(database: string): string {
  return `${database}.writes`;
}

/** The option of Node that makes a process, and the threads that it starts, record them. */
export const RECORDING_WRITES = `--import=${new URL('./hooks.ts', import.meta.url)}`;
