import { isDeepStrictEqual } from 'node:util';
import { problemLine } from '../../config/problems.ts';
import { type FileMark, type IntakeEntry, isSameMark, treatmentOf } from '../../domain/statements/statement-intake.ts';
import { type Intake, MOST_FORGOTTEN } from '../../store/intake.ts';
import { loadProfile, type Profile } from '../profile/load.ts';
import { ProfileError } from '../profile/problem.ts';
import { type FoundFile, findFiles, PROFILE_NAME, type ProfileFolder } from './find.ts';
import { type Answer, isRead, NEW_ANSWER } from './try.ts';

/** Imports a file, unless its content had its answer before; null: stopped by the signal. `tryFile` may run in another process. */
export type Attempt = (file: FoundFile, profile: Profile, known: IntakeEntry | null) => Promise<Answer | null>;

export interface TakeParts {
  readonly attempt: Attempt;
  readonly signal: AbortSignal;
  readonly intake: Intake;
  readonly nowMs: () => number;
  /** Files looked at, of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What a look did. */
export interface TakenFiles {
  /** Taken by this look. */
  readonly taken: number;
  /** Of these, rows that could not be read, and files that do not add up. */
  readonly unparsed: number;
  readonly unbalanced: number;
  /** All that stand refused, or wait, also since earlier. */
  readonly refused: number;
  readonly waiting: number;
  /** Cut short by the signal. */
  readonly stopped: boolean;
}

/** Characters of a reason that are kept. */
const LONGEST_REASON = 2_000;

/**
 * Takes what lies in the statements folder: imports each complete file by the profile of its sub-folder, and notes what became
 * of it. Moves and deletes nothing. May be killed anywhere and run again, also twice at once: each import is whole or absent.
 *
 * @throws TallyhookError when the folder cannot be read
 */
export async function takeStatements(
  folder: string,
  entries: readonly IntakeEntry[],
  parts: TakeParts,
): Promise<TakenFiles> {
  const { folders, misplaced } = await findFiles(folder);
  const known = new Map(entries.map((entry) => [entry.path, entry]));
  const total = folders.reduce((count, { files }) => count + files.length, 0);
  const counts = { taken: 0, unparsed: 0, unbalanced: 0, refused: 0, waiting: 0 };
  const there = new Set<string>();

  async function note(path: string, mark: FileMark, answer: Answer): Promise<void> {
    there.add(path);
    if (answer.outcome !== 'taken') counts[answer.outcome]++;
    const before = known.get(path) ?? null;
    const entry = entryOf(path, mark, answer, before, parts.nowMs());
    if (!isDeepStrictEqual(entry, before)) await parts.intake.note(entry);
  }

  for (const { path, reason, hint, ...mark } of misplaced) {
    await note(path, mark, { ...NEW_ANSWER, outcome: 'refused', reason, hint });
  }
  let done = 0;
  for (const one of folders) {
    const profile = profileOf(one);
    if (profile !== null && 'refusal' in profile) await note(profile.file.path, profile.file, profile.refusal);
    for (const file of one.files) {
      if (parts.signal.aborted) return { ...counts, stopped: true };
      const before = known.get(file.path) ?? null;
      const answer =
        profile === null || 'refusal' in profile
          ? (settledBefore(before, file) ?? waitingFor(one))
          : await answerOf(file, profile, before, parts);
      if (answer === null) return { ...counts, stopped: true };
      if (isRead(answer)) {
        counts.taken++;
        counts.unparsed += answer.read.unparsed;
        counts.unbalanced += answer.read.controls.length > 0 ? 1 : 0;
      }
      await note(file.path, file, answer);
      parts.onProgress?.(++done, total);
    }
  }
  const gone = [...known.keys()].filter((path) => !there.has(path));
  for (let at = 0; at < gone.length; at += MOST_FORGOTTEN) {
    await parts.intake.forget({ paths: gone.slice(at, at + MOST_FORGOTTEN) });
  }
  return { ...counts, stopped: false };
}

/** Null: stopped by the signal. */
async function answerOf(
  file: FoundFile,
  profile: Profile,
  known: IntakeEntry | null,
  parts: TakeParts,
): Promise<Answer | null> {
  const treatment = treatmentOf(file, known, profile.source.digest, parts.nowMs());
  if (treatment === 'nothing' && known !== null) return known;
  return treatment === 'wait' ? INCOMPLETE : parts.attempt(file, profile, known);
}

/** What was taken stays taken, also while its profile is missing or wrong. */
function settledBefore(known: IntakeEntry | null, file: FileMark): Answer | null {
  return known?.outcome === 'taken' && isSameMark(known, file) ? known : null;
}

const INCOMPLETE: Answer = {
  ...NEW_ANSWER,
  outcome: 'waiting',
  reason: 'It changed less than a minute ago, so it may not be complete.',
  hint: 'The next look takes it: tallyhook schedule run reconcile',
};

function waitingFor({ name }: ProfileFolder): Answer {
  return { ...NEW_ANSWER, outcome: 'waiting', reason: `${name}/${PROFILE_NAME} cannot be used.` };
}

/** The profile of a sub-folder, or why it is refused; null: there is none. */
function profileOf({ profile: file }: ProfileFolder): Profile | { file: FoundFile; refusal: Answer } | null {
  if (file === null) return null;
  try {
    return loadProfile(file.fullPath);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const reason = error.problems.map(problemLine).join(' ');
    return { file, refusal: { ...NEW_ANSWER, outcome: 'refused', reason, hint: error.hint ?? null } };
  }
}

function entryOf(
  path: string,
  mark: FileMark,
  { outcome, sha256, profileDigest, statement, reason, hint }: Answer,
  known: IntakeEntry | null,
  nowMs: number,
): IntakeEntry {
  const why = reason?.slice(0, LONGEST_REASON) ?? null;
  const isAsBefore = known?.outcome === outcome && known.reason === why && known.sha256 === sha256;
  const { bytes, modifiedAtMs } = mark;
  return {
    path,
    outcome,
    bytes,
    modifiedAtMs,
    seenAtMs: known !== null && isSameMark(known, mark) ? known.seenAtMs : nowMs,
    sinceMs: isAsBefore ? known.sinceMs : nowMs,
    sha256,
    profileDigest,
    statement,
    reason: why,
    hint,
  };
}
