export type SubjectKind = 'bare' | 'tallyhook' | 'one-insert';

/** A receiver that listens, inside the process that is measured. */
export interface RunningSubject {
  readonly port: number;
  /** Null for a subject that has no metrics. */
  readonly adminPort: number | null;
  /** Null or missing: it has none. */
  readonly dashboardUrl?: string | null;
  close(): Promise<void>;
}
