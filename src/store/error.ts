import { type ErrorKind, mayPass, TallyhookError } from '../domain/error.ts';

/**
 * What failed in the store. `busy`, `disk_full`, `read_only`, `queue_full`, `backlog_full`, `closing`, `locked`, and of the log of several
 * machines `cluster_unreachable` to `fell_behind`, are temporary: a retry may succeed. After `io`, `corrupt`, `replaced`, `wrong_log` and
 * `crashed` nothing may be acknowledged any more. The others are a wrong file, folder or file system, a schema of another version or with foreign
 * definitions, a key of the audit chain that is gone or not the one that signed it, or wrong settings of the log of several machines.
 */
export const STORE_FAULTS = [
  'busy',
  'disk_full',
  'read_only',
  'queue_full',
  'backlog_full',
  'closing',
  'io',
  'corrupt',
  'replaced',
  'no_folder',
  'no_access',
  'no_database',
  'wrong_log',
  'crashed',
  'unfit_file_system',
  'newer_schema',
  'older_schema',
  'changed_schema',
  'locked',
  'period_closed',
  'audit_key',
  'not_proven',
  'not_allowed',
  'cluster_unreachable',
  'cluster_unsafe',
  'cluster_unconfirmed',
  'diverged',
  'beside_log',
  'fell_behind',
  'cluster_refused',
  'not_fresh',
  'not_approved',
  'other',
] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

const KIND = {
  busy: 'unavailable',
  disk_full: 'unavailable',
  read_only: 'unavailable',
  queue_full: 'unavailable',
  backlog_full: 'unavailable',
  closing: 'unavailable',
  io: 'corrupt',
  corrupt: 'corrupt',
  replaced: 'corrupt',
  no_folder: 'configuration',
  no_access: 'configuration',
  no_database: 'configuration',
  wrong_log: 'corrupt',
  crashed: 'corrupt',
  unfit_file_system: 'configuration',
  newer_schema: 'configuration',
  older_schema: 'configuration',
  changed_schema: 'configuration',
  locked: 'unavailable',
  period_closed: 'failed',
  audit_key: 'configuration',
  not_proven: 'usage',
  not_allowed: 'unauthorized',
  cluster_unreachable: 'unusable',
  cluster_unsafe: 'unusable',
  cluster_unconfirmed: 'unavailable',
  diverged: 'unusable',
  beside_log: 'unavailable',
  fell_behind: 'unavailable',
  cluster_refused: 'configuration',
  not_fresh: 'unauthorized',
  not_approved: 'unauthorized',
  other: 'failed',
} as const satisfies Record<StoreFault, ErrorKind>;

const TEXT = {
  busy: 'another program held the lock of the database or of its log',
  disk_full: 'the disk is full',
  read_only: 'the database cannot be written',
  queue_full: 'more waited than receiver.queueLimit',
  backlog_full: 'the log was larger than receiver.backlogBytes',
  closing: 'serve was stopping',
  io: 'the disk failed',
  corrupt: 'the database is damaged',
  replaced: 'the file of the database was moved or deleted',
  no_folder: 'the folder of the database is gone',
  no_access: 'the database cannot be opened',
  no_database: 'the database is gone',
  wrong_log: 'the log is not the one of the database',
  crashed: 'a thread of the receiver ended by a defect',
  unfit_file_system: 'the database is on no local disk',
  newer_schema: 'the database is of a newer version',
  older_schema: 'the database is of an older version',
  changed_schema: 'the database is not as Tallyhook made it',
  locked: 'another process had the database for itself',
  period_closed: 'a closed period was to be changed',
  audit_key: 'the key of the audit chain is gone',
  not_proven: 'a person did not prove the name',
  not_allowed: 'a person may not do this',
  cluster_unreachable: 'the log in PostgreSQL did not answer',
  cluster_unsafe: 'PostgreSQL did not keep the log as promised',
  cluster_unconfirmed: 'PostgreSQL did not confirm what it may have written',
  diverged: 'this node differed from the others',
  beside_log: 'the log in PostgreSQL was not the one that this node carried out',
  fell_behind: 'the log in PostgreSQL did not have the next entry any more',
  cluster_refused: 'the log in PostgreSQL was refused',
  not_fresh: 'a person has to prove the name once more',
  not_approved: 'a second person has to approve this',
  other: 'the receiver failed',
} as const satisfies Record<StoreFault, string>;

/** Of a fault that goes on, where the words above say that it is over; and the reverse. */
const NOW: Partial<Record<StoreFault, string>> = {
  busy: 'another program holds the lock of the database or of its log',
  queue_full: 'more wait than receiver.queueLimit',
  backlog_full: 'the log is larger than receiver.backlogBytes',
};
const OVER: Partial<Record<StoreFault, string>> = {
  disk_full: 'the disk was full',
  read_only: 'the database could not be written',
};

/** A fault in words: `the disk is full`. `now`: it goes on; `over`: it does no more. */
export function faultText(fault: string, when?: 'now' | 'over'): string {
  const known = fault as StoreFault;
  return (when === 'now' ? NOW[known] : when === 'over' ? OVER[known] : undefined) ?? TEXT[known] ?? fault;
}

export class StoreError extends TallyhookError {
  override readonly name = 'StoreError';
  readonly fault: StoreFault;

  constructor(fault: StoreFault, message: string, facts: { hint?: string; cause?: unknown } = {}) {
    super(message, { kind: KIND[fault], ...facts });
    this.fault = fault;
  }

  /** True when nothing may be acknowledged any more and the process must stop. */
  get fatal(): boolean {
    return this.kind === 'corrupt';
  }
}

/** A thread of the store ended by itself; `how`, for a person. */
export function crashed(thread: 'log' | 'database', how: string, cause?: unknown): StoreError {
  return new StoreError('crashed', `The thread of the ${thread} ${how}.`, {
    hint: 'A defect of Tallyhook, or no memory was left. What was acknowledged is kept: start serve again, and report the lines of its log.',
    cause,
  });
}

/** A StoreError as plain data, for a message to another thread or process. */
export interface Failure {
  readonly fault: StoreFault;
  readonly message: string;
  readonly hint: string | undefined;
}

export function failureOf({ fault, message, hint }: StoreError): Failure {
  return { fault, message, hint };
}

/** The StoreError that `failure` was made from. */
export function errorOf({ fault, message, hint }: Failure): StoreError {
  return new StoreError(fault, message, hint === undefined ? {} : { hint });
}

/** Whether a reason is a fault of the store. */
export function isStoreFault(reason: string): reason is StoreFault {
  return STORE_FAULTS.some((fault) => fault === reason);
}

/** Whether a retry may succeed after this fault: it is answered 503, any other 500. */
export function isRetryable(fault: StoreFault): boolean {
  return mayPass(KIND[fault]);
}

/** Whether deliveries are kept while a write on the books meets this fault: a retry may succeed, or a node stands still until a person acts. */
export function letsReceive(fault: StoreFault): boolean {
  return isRetryable(fault) || fault === 'cluster_refused';
}
