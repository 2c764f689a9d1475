import type { Config } from '../../../src/config/load.ts';
import type { Look } from '../../../src/confirm/look.ts';
import { bold, verdictText } from '../../show/output.ts';
import { problemText } from '../../show/problem.ts';
import { wrapped } from '../../show/text.ts';
import { statusFacts } from './facts.ts';

/** The screen that every terminal has. */
const ROWS = 24;
const COLUMNS = 80;
/** Rows for problems; the verdict, a blank line and the most important facts need the others. */
const PROBLEM_ROWS = 15;
const NAME_WIDTH = 10;

/** The verdict, then each problem with what to do next, then the facts, as far as they fit on one screen. */
export function statusLines(seen: Look, config: Config): string[] {
  const problems = problemLines(seen, config);
  const facts = statusFacts(seen, config).flatMap(([name, text]) => named(name, text));
  return [verdict(seen), ...problems, '', ...facts].slice(0, ROWS);
}

function verdict({ problems: { length: count } }: Look): string {
  if (count === 0) return verdictText('Everything is well.', true);
  return verdictText(count === 1 ? 'One thing needs you:' : `${count} things need you:`, false);
}

function problemLines({ problems, standing: { nowMs } }: Look, { timeZone: zone }: Config): string[] {
  const blocks = problems.map((problem) => {
    const { text, next } = problemText(problem, { nowMs, zone });
    return [...hanging('- ', text), ...hanging('  → ', next)];
  });
  const shown: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const rest = blocks.length - index;
    // One row stays free for the line that counts the others.
    const limit = rest === 1 ? PROBLEM_ROWS : PROBLEM_ROWS - 1;
    if (shown.length + block.length > limit) return [...shown, `- and ${rest} more: tallyhook status --json`];
    shown.push(...block);
  }
  return shown;
}

function hanging(start: string, text: string): string[] {
  const lines = wrapped(text, COLUMNS - start.length);
  return lines.map((line, index) => `${index === 0 ? start : ' '.repeat(start.length)}${line}`);
}

function named(name: string, text: string): string[] {
  const lines = wrapped(text, COLUMNS - NAME_WIDTH);
  return lines.map((line, index) => `${index === 0 ? bold(name.padEnd(NAME_WIDTH)) : ' '.repeat(NAME_WIDTH)}${line}`);
}
