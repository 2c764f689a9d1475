import { MINUTE_MS } from '../../time/clock.ts';

/*
 * The statements folder: what becomes of a file in it. A file is taken once it is complete. One that was
 * refused is tried again when its content or its profile has changed; one that was taken, when its content has.
 */

/** `waiting`: it is being written, its account is busy, or its profile cannot be used yet. */
export const INTAKE_OUTCOMES = ['taken', 'refused', 'waiting'] as const;
export type IntakeOutcome = (typeof INTAKE_OUTCOMES)[number];

/** How a look finds a file. */
export interface FileMark {
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** What became of a file. */
export interface IntakeEntry extends FileMark {
  /** Within the folder: `wallet/october.csv`. */
  readonly path: string;
  readonly outcome: IntakeOutcome;
  /** When a look first found it with this mark. */
  readonly seenAtMs: number;
  /** When it was taken, refused, or first had to wait. */
  readonly sinceMs: number;
  /**
   * sha256 of the content that was taken, refused for good, or being read when its process was ended from outside, after which it
   * waits; null: every look tries it again.
   */
  readonly sha256: string | null;
  /** Of the profile that refused this content. */
  readonly profileDigest: string | null;
  /** The statement that has it; null: it is not taken. */
  readonly statement: number | null;
  /** Why it is refused or waits; null: it is taken. */
  readonly reason: string | null;
  /** What to do about it. */
  readonly hint: string | null;
}

/** A file that did not change for a minute is complete: who writes one rarely pauses longer. */
export const QUIET_MS = MINUTE_MS;

/**
 * What to do with a file: nothing, because it is as it was when it was taken or refused; wait until it is complete; or try it.
 * Two looks a minute apart find it complete, too, for a clock that is ahead of ours may have written its time.
 */
export function treatmentOf(
  file: FileMark,
  known: IntakeEntry | null,
  profileDigest: string,
  nowMs: number,
): 'nothing' | 'wait' | 'try' {
  const isAsBefore = known !== null && isSameMark(file, known);
  if (isAsBefore && isSettled(known, known.sha256, profileDigest)) return 'nothing';
  const isComplete = nowMs - file.modifiedAtMs >= QUIET_MS || (isAsBefore && nowMs - known.seenAtMs >= QUIET_MS);
  return isComplete ? 'try' : 'wait';
}

/** Whether this content has had its answer: taken, or refused for good by the same profile. */
export function isSettled(known: IntakeEntry, sha256: string | null, profileDigest: string): boolean {
  if (sha256 === null || known.sha256 !== sha256) return false;
  return known.outcome === 'taken' || (known.outcome === 'refused' && known.profileDigest === profileDigest);
}

export function isSameMark(one: FileMark, other: FileMark): boolean {
  return one.bytes === other.bytes && one.modifiedAtMs === other.modifiedAtMs;
}
