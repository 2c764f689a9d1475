import type { Problem } from '../../config/problems.ts';
import { isDay } from '../../domain/reconciling/business-day.ts';

// A calendar: a file with a day on each line, `2026-10-01` or, as a list of YAML, `- 2026-10-01`. A name may follow.

const LINE = /^(?:-\s+)?(["']?)(\d{4}-\d{2}-\d{2})\1(?:[\s,;#].*)?$/;

/** Returns the days of a calendar; a line that is no day is a problem. */
export function holidaysIn(text: string, problems: Problem[]): ReadonlySet<string> {
  const holidays = new Set<string>();
  for (const [index, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = written.trim();
    if (line === '' || line === '---' || line.startsWith('#')) continue;
    const day = LINE.exec(line)?.[2];
    if (day !== undefined && isDay(day)) holidays.add(day);
    else {
      const seen = JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}…` : line);
      problems.push({ path: `calendar, line ${index + 1}`, seen, rule: 'must be a day such as 2026-10-01' });
    }
  }
  return holidays;
}
