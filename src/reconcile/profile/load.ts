import { createHash } from 'node:crypto';
import type { Problem } from '../../config/problems.ts';
import type { Account } from '../../domain/statements/statement.ts';
import type { StatementProfile } from '../../store/statements.ts';
import { type Settings, settingsDocument, settingsIn, settingsText } from '../settings-file/read.ts';
import { settingProblems } from '../settings-file/schema-problems.ts';
import { profileJsonSchema } from './json-schema.ts';
import { takeMarks } from './marks.ts';
import { ProfileError } from './problem.ts';
import { brokenRules, withColumnNumbers } from './rules.ts';
import { type ProfileValues, profileSchema } from './schema.ts';

/** How the files of one layout of one account are read. */
export interface Profile extends ProfileValues {
  /** The profile as the store keeps it. */
  readonly source: StatementProfile;
  /** Whose lines its files hold. */
  readonly owner: Account;
}

/**
 * Reads and checks a profile.
 *
 * @throws ProfileError with all problems, each with its path, the value seen and the rule
 */
export function loadProfile(path: string): Profile {
  return readProfile(textOf(path), path);
}

/** Checks the text of a profile; `path` is for messages. Throws ProfileError. */
export function readProfile(text: string, path: string): Profile {
  const problems: Problem[] = [];
  const tree = treeOf(text, problems);
  if (tree === null) throw new ProfileError(path, problems);
  const parsed = profileSchema.safeParse(tree, { jitless: true });
  problems.push(...settingProblems(tree, parsed.error?.issues ?? [], brokenRules(tree), profileJsonSchema));
  if (!parsed.success || problems.length > 0) throw new ProfileError(path, problems);
  const { name, account, kind, environment } = parsed.data;
  const digest = createHash('sha256').update(text).digest('hex');
  return { ...parsed.data, source: { name, digest, text }, owner: { name: account, kind, environment } };
}

function textOf(path: string): string {
  const problems: Problem[] = [];
  const text = settingsText(path, '--profile names the profile, not the statement', problems);
  if (text === null) throw new ProfileError(path, problems);
  return text;
}

function treeOf(text: string, problems: Problem[]): Settings | null {
  const parsed = settingsDocument(text, problems);
  if (parsed === null) return null;
  for (const { line, path, value } of takeMarks(parsed.document, parsed.lines)) {
    problems.push({
      path: `line ${line}, ${path}`,
      seen: JSON.stringify(`confirm: ${value}`),
      rule: 'is a guess: check it, and take "confirm: " away',
    });
  }
  const settings = settingsIn(parsed.document, problems);
  return settings === null ? null : withColumnNumbers(settings);
}
