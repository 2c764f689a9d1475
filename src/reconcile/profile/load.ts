import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { aliasMistakes } from '../../config/aliases.ts';
import { didYouMean } from '../../config/did-you-mean.ts';
import { type Problem, reasonOf } from '../../config/problems.ts';
import { valueSeen } from '../../config/shown.ts';
import type { Account } from '../../domain/statement.ts';
import type { StatementProfile } from '../../store/statements.ts';
import { settingAt } from './columns.ts';
import { profileSettingsAt } from './json-schema.ts';
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

/** Bytes of a profile: far more than any has. */
const LARGEST_BYTES = 1024 * 1024;

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
  for (const issue of parsed.error?.issues ?? []) problems.push(...problemsOf(issue, tree));
  const reported = new Set(problems.map((problem) => problem.path));
  for (const { path: setting, rule } of brokenRules(tree)) {
    if (!reported.has(pathOf(setting))) problems.push({ path: pathOf(setting), seen: seenAt(tree, setting), rule });
  }
  if (!parsed.success || problems.length > 0) throw new ProfileError(path, problems);
  const { name, account, kind, environment } = parsed.data;
  const digest = createHash('sha256').update(text).digest('hex');
  return { ...parsed.data, source: { name, digest, text }, owner: { name: account, kind, environment } };
}

function textOf(path: string): string {
  try {
    if (statSync(path).size > LARGEST_BYTES) {
      throw new ProfileError(path, [
        { path: 'the file', rule: 'is larger than 1 MiB: --profile names the profile, not the statement' },
      ]);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof ProfileError) throw error;
    const reason = error instanceof TypeError ? 'it is not UTF-8' : reasonOf(error);
    throw new ProfileError(path, [{ path: 'the file', rule: `cannot be read: ${reason}` }]);
  }
}

function treeOf(text: string, problems: Problem[]): Record<string, unknown> | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines, logLevel: 'error' });
  const at = (offset: number) => `line ${lines.linePos(offset).line}, column ${lines.linePos(offset).col}`;
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    problems.push({ path: at(pos[0]), rule: `is not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})` });
  }
  for (const { offset, rule } of aliasMistakes(document)) problems.push({ path: at(offset), rule });
  if (problems.length > 0) return null;
  for (const { line, path, value } of takeMarks(document, lines)) {
    problems.push({
      path: `line ${line}, ${path}`,
      seen: JSON.stringify(`confirm: ${value}`),
      rule: 'is a guess: check it, and take "confirm: " away',
    });
  }
  const root: unknown = document.toJS() ?? {};
  if (typeof root === 'object' && root !== null && !Array.isArray(root))
    return withColumnNumbers(root as Record<string, unknown>);
  problems.push({ path: 'the file', seen: valueSeen(root, { secret: false }), rule: 'must be a map of settings' });
  return null;
}

function problemsOf(issue: z.core.$ZodIssue, tree: Record<string, unknown>): Problem[] {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const suggestion = didYouMean(key, profileSettingsAt(issue.path));
      const problem = { path: pathOf([...issue.path, key]), rule: 'is not a setting' };
      return suggestion === undefined ? problem : { ...problem, suggestion };
    });
  }
  return [{ path, seen: seenAt(tree, issue.path), rule: issue.message }];
}

function seenAt(tree: object, path: readonly PropertyKey[]): string {
  return valueSeen(settingAt(tree, path), { secret: false });
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text.replace(/^\./, '') || 'the file';
}
