import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Problem } from '../../config/problems.ts';
import { cutOffMinutesIn } from '../../domain/reconciling/business-day.ts';
import type { Rules } from '../../domain/reconciling/rules.ts';
import { packageFile } from '../../package-root.ts';
import { lineSearch } from '../settings-file/line-search.ts';
import { settingsDocument, settingsIn, settingsText } from '../settings-file/read.ts';
import { settingAt, settingProblems } from '../settings-file/schema-problems.ts';
import { holidaysIn } from './calendar.ts';
import { brokenRules } from './cross-rules.ts';
import { keepDigits } from './digits.ts';
import { rulesJsonSchema } from './json-schema.ts';
import { RulesError } from './problem.ts';
import { rulesSchema } from './schema.ts';

/** What to do about a file of the wrong sort. */
const TOO_LARGE = '--rules names the rules, not a statement';
const NO_CALENDAR = 'it is to hold days without business, one on each line';

/**
 * Reads and checks a rules file and its calendar; without a path, the standard rules of the package, which a process reads once.
 *
 * @throws RulesError with all problems, each with its line, path, the value seen and the rule
 */
export async function loadRules(path?: string): Promise<Rules> {
  if (path !== undefined) return readRules(path);
  standard ??= readRules(packageFile('templates', 'rules', 'standard.yaml'));
  return standard;
}
let standard: Rules | undefined;

function readRules(path: string): Rules {
  const problems: Problem[] = [];
  const text = settingsText(path, TOO_LARGE, problems);
  const written = text === null ? null : settingsDocument(text, problems);
  if (text === null || written === null) throw new RulesError(path, problems);
  keepDigits(written.document);
  const settings = settingsIn(written.document, problems);
  if (settings === null) throw new RulesError(path, problems);
  const parsed = rulesSchema.safeParse(settings, { jitless: true });
  problems.push(
    ...settingProblems(
      settings,
      parsed.error?.issues ?? [],
      brokenRules(settings),
      rulesJsonSchema,
      lineSearch(written),
    ),
  );
  const calendar = settingAt(settings, ['calendar']);
  const days = typeof calendar === 'string' ? calendarText(resolve(dirname(path), calendar.trim()), problems) : '';
  const holidays = holidaysIn(days, problems);
  if (!parsed.success || problems.length > 0) throw new RulesError(path, problems);
  const { name, cutOff, legs, schedule } = parsed.data;
  const whole = text + days;
  return {
    name,
    text: whole,
    digest: createHash('sha256').update(whole).digest('hex'),
    legs,
    holidays,
    cutOffMinutes: cutOff === null ? null : cutOffMinutesIn(cutOff),
    schedule,
  };
}

function calendarText(path: string, problems: Problem[]): string {
  const found: Problem[] = [];
  const text = settingsText(path, NO_CALENDAR, found);
  problems.push(...found.map(({ rule }) => ({ path: 'calendar', seen: JSON.stringify(path), rule })));
  return text ?? '';
}
