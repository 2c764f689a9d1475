import type { Examined } from './examination.ts';

/*
 * The part of the port for the upkeep of a database as a whole. Each call opens and closes what it needs. Times are
 * milliseconds since 1970.
 */

export interface Migrated {
  readonly schemaVersion: number;
  /** The migrations applied now, in order. */
  readonly applied: readonly { readonly version: number; readonly name: string }[];
}

/** The contents of a database or of a backup. */
export interface Contents {
  readonly schemaVersion: number;
  readonly events: number;
  readonly lastReceivedAtMs: number | null;
}

/** A backup that was made and read back. */
export interface Backup extends Contents {
  readonly file: string;
  readonly bytes: number;
}

export interface BackupSeries {
  /** Folder of the backups; made when only the last folder of the path is missing. */
  readonly folder: string;
  /** How many backups of this database stay, the newest. */
  readonly keep: number;
}

export interface SeriesBackup extends Backup {
  /** Older backups that were deleted. */
  readonly deleted: number;
}

/** How a long task is followed and stopped. */
export interface Watch<Progress> {
  /** Ends the task at once. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface CopyProgress {
  readonly doing: 'copying' | 'checking the copy' | 'checking the backup';
  readonly copiedBytes: number;
  readonly totalBytes: number;
}

export interface MigrateProgress {
  /** The migration that is being applied. */
  readonly name: string;
  readonly applied: number;
  /** How many were missing at the start. */
  readonly total: number;
}

export interface LogGap {
  readonly from: number;
  /** Null: all that follows. */
  readonly to: number | null;
}

export interface RestorePlan {
  readonly backup: string;
  readonly database: string;
  /** Where the present database is moved; null when there is none. */
  readonly setAside: string | null;
  /** The deliveries that the log holds, null when it is damaged. They are carried out into the restored database unless they are discarded. */
  readonly log: {
    readonly deliveries: number | null;
    readonly discarded: boolean;
    /** Entries behind the backup that are not carried out, both ends included: the log of several machines has them no longer. Null without any. */
    readonly missing: LogGap | null;
    /**
     * The backup holds entries that the log of several machines lost: the deliveries of that log are carried out from this entry on, its oldest.
     * Null where they follow the backup.
     */
    readonly carriedFrom: number | null;
  };
  readonly contents: Contents;
}

export interface RestoreOptions {
  /** Sets the log aside with the present database. Default false. */
  readonly discardLog?: boolean;
}

export interface RewriteOrder {
  /** A larger database is not rewritten: deliveries would wait too long. */
  readonly mostBytes: number;
}

export interface Rewritten {
  /** False when the database is larger than `mostBytes`. */
  readonly rewritten: boolean;
  /** False when a long read kept a part of the log. */
  readonly logEmptied: boolean;
}

/** What two databases have in common, and what not. */
export interface RowComparison {
  /** Tables that machines which share a log have in common, and the rows of them. */
  readonly tables: number;
  readonly rows: number;
  /** The tables of them in which a row differs. */
  readonly differing: readonly string[];
}

export interface Upkeep {
  /**
   * Brings the schema up to date, beside this process; throws when there is no database or another program made it. Ended by
   * `watch`, it has applied each migration wholly or not at all.
   */
  readonly migrate: (watch?: Watch<MigrateProgress>) => Promise<Migrated>;
  /**
   * Writes the whole database anew, so that no byte of deleted content is left in unused space. Needs free space of twice
   * its size; writes of others wait meanwhile, and fail after 5 seconds.
   */
  readonly rewrite: (order: RewriteOrder, signal: AbortSignal) => Promise<Rewritten>;
  /**
   * Copies the database to a file while it is in use, and reads the copy back, beside this process. An existing file is
   * replaced with `force`. Ended by `watch`, it leaves `file` as it was.
   */
  readonly backUp: (file: string, options: { readonly force: boolean }, watch?: Watch<CopyProgress>) => Promise<Backup>;
  /** Makes one more backup of a series beside this process, which goes on meanwhile, and deletes the oldest beyond `keep`. */
  readonly backUpInSeries: (series: BackupSeries, signal: AbortSignal) => Promise<SeriesBackup>;
  /** Reads the whole backup, beside this process, and returns what `restore` would do. Changes nothing. */
  readonly planRestore: (backup: string, options?: RestoreOptions, watch?: Watch<CopyProgress>) => Promise<RestorePlan>;
  /**
   * Replaces the database by a backup and sets the present one aside. What the log holds is carried out into the restored one by the next
   * start: deliveries that it has already are duplicates. Refused while another process uses it. Ended by
   * `watch`, it leaves the database as it was.
   */
  readonly restore: (backup: string, options?: RestoreOptions, watch?: Watch<CopyProgress>) => Promise<RestorePlan>;
  /**
   * Examines where the database lies, its settings and its schema; and all that it holds where that is little, or with `deep`. Of a
   * large one it says what the receiver found, which compares all rows in the background.
   */
  readonly examine: (options: { readonly deep: boolean }) => Promise<Examined[]>;
  /** Compares all rows with those of another machine's database, which has carried out as much of the log. */
  readonly compare: (other: string) => Promise<RowComparison>;
}
