import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../config/problems.ts';
import { TallyhookError } from '../../domain/error.ts';
import type { FileMark } from '../../domain/statements/statement-intake.ts';

// The statements folder: a sub-folder per profile, which holds profile.yaml and the files that it reads.

/** The profile of a sub-folder, by this name only. */
export const PROFILE_NAME = 'profile.yaml';

export interface FoundFile extends FileMark {
  /** Within the folder: `wallet/october.csv`. */
  readonly path: string;
  readonly fullPath: string;
}

/** A sub-folder. */
export interface ProfileFolder {
  readonly name: string;
  /** Null: there is none, or it is misplaced. */
  readonly profile: FoundFile | null;
  readonly files: readonly FoundFile[];
}

/** Something that cannot be a statement where it lies. */
export interface Misplaced extends FileMark {
  readonly path: string;
  readonly reason: string;
  readonly hint: string;
}

export interface Found {
  readonly folders: readonly ProfileFolder[];
  readonly misplaced: readonly Misplaced[];
}

/** Files of one look: more than a company gets in ten years. */
export const MOST_FILES = 10_000;
/** Files of other programs: hidden ones, unfinished downloads and uploads, backups of editors, what a spreadsheet holds open. */
const IGNORED = /^[.~]|~$|\.(?:part|partial|filepart|crdownload|download|tmp|swp)$|^(?:thumbs\.db|desktop\.ini)$/i;
const NO_MARK: FileMark = { bytes: 0, modifiedAtMs: 0 };

/**
 * Finds what lies in the statements folder, ordered by name.
 *
 * @throws TallyhookError when the folder cannot be read, or holds more than `most` files
 */
export async function findFiles(folder: string, most = MOST_FILES): Promise<Found> {
  const found: { folders: ProfileFolder[]; misplaced: Misplaced[] } = { folders: [], misplaced: [] };
  let count = 0;
  for (const { name, path, stats } of await entriesOf(folder).catch((error) => refuseFolder(folder, error))) {
    const wrong = stats.isDirectory() ? null : wrongKind(stats, 'a folder, with the profile.yaml of its files');
    if (wrong !== null) found.misplaced.push({ ...markOf(stats), path: name, ...wrong });
    else if (stats.isDirectory()) {
      const { misplaced, ...one } = await profileFolder(path, name);
      found.misplaced.push(...misplaced);
      if (one.files.length > 0 || one.profile !== null) found.folders.push(one);
      count += one.files.length + misplaced.length;
    } else found.misplaced.push({ ...markOf(stats), path: name, ...OUTSIDE });
    if (count > most) refuseMany(folder, most);
  }
  return found;
}

const OUTSIDE = {
  reason: 'It lies in no sub-folder, so no profile says how it is read.',
  hint: 'Move it into the sub-folder of its profile, beside profile.yaml.',
};

async function profileFolder(path: string, name: string): Promise<ProfileFolder & { misplaced: Misplaced[] }> {
  const files: FoundFile[] = [];
  const misplaced: Misplaced[] = [];
  let profile: FoundFile | null = null;
  let entries: Entry[] = [];
  try {
    entries = await entriesOf(path);
  } catch (error) {
    const reason = `The folder cannot be read: ${reasonOf(error)}.`;
    misplaced.push({ ...NO_MARK, path: `${name}/`, reason, hint: 'Let the user that runs Tallyhook read it.' });
  }
  for (const { name: own, path: fullPath, stats } of entries) {
    const one = { ...markOf(stats), path: `${name}/${own}` };
    const wrong = stats.isDirectory() ? INNER_FOLDER : wrongKind(stats, 'the file itself');
    if (wrong !== null) misplaced.push({ ...one, ...wrong });
    else if (own === PROFILE_NAME) profile = { ...one, fullPath };
    else files.push({ ...one, fullPath });
  }
  const isThere = profile !== null || misplaced.some((one) => one.path === `${name}/${PROFILE_NAME}`);
  if (files.length > 0 && !isThere) misplaced.push({ ...NO_MARK, path: `${name}/${PROFILE_NAME}`, ...NO_PROFILE });
  return { name, profile, files, misplaced };
}

const INNER_FOLDER = {
  reason: 'It is a folder: statements lie directly beside profile.yaml.',
  hint: 'Move its files up, or give it a profile of its own beside the other sub-folders.',
};
const NO_PROFILE = {
  reason: 'It is missing: nothing says how the files of this folder are read.',
  hint: 'Propose one, look at each guess, and put it there: tallyhook statements profile FILE --out profile.yaml',
};

/** What is wrong with something that is no folder; null: it is a file. */
function wrongKind(stats: Stats, wanted: string): { readonly reason: string; readonly hint: string } | null {
  if (stats.isFile()) return null;
  const kind = stats.isSymbolicLink() ? 'a symbolic link, which may lead anywhere' : 'no file';
  return { reason: `It is ${kind}.`, hint: `Put ${wanted} there.` };
}

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly stats: Stats;
}

/** What lies in a folder but for what other programs leave there, by name. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (IGNORED.test(name)) continue;
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null); // deleted since
    if (stats !== null) entries.push({ name, path, stats });
  }
  return entries;
}

function markOf({ size, mtimeMs }: Stats): FileMark {
  return { bytes: size, modifiedAtMs: Math.floor(mtimeMs) };
}

/** How a file is now; null: it is gone. */
export async function markNow(path: string): Promise<FileMark | null> {
  const stats = await lstat(path).catch(() => null);
  return stats === null ? null : markOf(stats);
}

function refuseFolder(folder: string, cause: unknown): never {
  throw new TallyhookError(`The folder of statements ${folder} cannot be read: ${reasonOf(cause)}.`, {
    kind: 'configuration',
    hint: 'Make the folder and let this user read it, or mend reconcile.statementsFolder.',
    cause,
  });
}

function refuseMany(folder: string, most: number): never {
  throw new TallyhookError(`The folder of statements ${folder} holds more than ${most} files.`, {
    kind: 'configuration',
    hint: 'Move files that are taken to another folder: tallyhook statements folder',
  });
}
