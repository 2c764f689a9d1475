import type { Config } from '../../../src/config/load.ts';
import type { Look } from '../../../src/confirm/look.ts';
import { type ProblemText, problemText } from '../../../src/lists/problem-text.ts';
import { bold, verdictText } from '../../show/output.ts';
import { asCalled } from '../../show/program.ts';
import { clipped, wrapped } from '../../show/text.ts';
import { type Fact, statusFacts } from './facts.ts';

/** The lines that fit, and the characters of each. */
export interface Screen {
  readonly rows: number;
  readonly columns: number;
}

/** Every terminal has these rows; the cursor needs one of its own. */
const FEWEST_ROWS = 24;
/** For a terminal that reports no size, such as a serial console. */
const USUAL_WIDTH = 80;
const CURSOR_ROWS = 1;
/** The verdict, and the blank line before the facts. */
const FRAME_ROWS = 2;
const NAME_WIDTH = 10;

/** The screen of stdout; without a terminal it has no bounds, and each problem and fact is one whole line. */
export function screenOf({ isTTY, rows = 0, columns = 0 }: Partial<NodeJS.WriteStream>): Screen {
  if (isTTY !== true) return { rows: Number.POSITIVE_INFINITY, columns: Number.POSITIVE_INFINITY };
  return { rows: Math.max(rows, FEWEST_ROWS) - CURSOR_ROWS, columns: columns || USUAL_WIDTH };
}

/** As `screenOf`, for lines that stay: a terminal narrower than usual may scroll, so that nothing is shortened. */
export function scrollOf(stream: Partial<NodeJS.WriteStream>): Screen {
  const screen = screenOf(stream);
  return screen.columns < USUAL_WIDTH ? { ...screen, rows: Number.POSITIVE_INFINITY } : screen;
}

/**
 * The verdict, then each problem with what to do next, then the facts. Where the screen is too small, problems are shortened,
 * then counted; every fact has a line.
 */
export function statusLines(seen: Look, config: Config, screen: Screen): string[] {
  const problems = seen.problems.map((problem) => problemText(problem, { zone: config.timeZone }));
  const facts = statusFacts(seen, config);
  const wholeFacts = facts.flatMap((fact) => factLines(fact, screen));
  const whole = problems.flatMap((problem) => problemLines(problem, screen));
  const room = screen.rows - FRAME_ROWS;
  if (whole.length + wholeFacts.length <= room)
    return [verdict(problems.length, seen, config), ...whole, '', ...wholeFacts];
  const hasRoom = problems.length + wholeFacts.length <= room;
  const shownFacts = hasRoom ? wholeFacts : facts.map((fact) => briefFact(fact, screen));
  const brief = briefProblems(problems, { ...screen, rows: room - shownFacts.length });
  return [verdict(problems.length, seen, config), ...brief, '', ...shownFacts];
}

function verdict(count: number, { system: { due } }: Look, { baseUrl }: Config): string {
  const unconfirmed = baseUrl === null ? due.reduce((sum, { records }) => sum + records, 0) : 0;
  if (count === 0 && unconfirmed > 0) {
    const records = unconfirmed === 1 ? '1 record waits' : `${unconfirmed} records wait`;
    return verdictText(`Nothing is confirmed: ${records}, and baseUrl is not set.`, true);
  }
  if (count === 0) return verdictText('Everything is well.', true);
  return verdictText(count === 1 ? 'One thing needs you:' : `${count} things need you:`, false);
}

function problemLines({ text, next }: ProblemText, { columns }: Screen): string[] {
  return [...hanging('- ', text, columns), ...hanging('  → ', next, columns)];
}

/** A line for each problem, and one for what to do next while there is room; the last line counts the others. */
function briefProblems(problems: readonly ProblemText[], { rows, columns }: Screen): string[] {
  const shown = problems.length <= rows ? problems : problems.slice(0, rows - 1);
  const spare = Math.max(0, rows - problems.length);
  const lines = shown.flatMap(({ text, next }, index) => [`- ${text}`, ...(index < spare ? [`  → ${next}`] : [])]);
  const rest = problems.length - shown.length;
  if (rest > 0) lines.push(`… and ${rest} more: tallyhook status --json`);
  return lines.map((line) => clipped(line, columns));
}

function factLines([name, text]: Fact, { columns }: Screen): string[] {
  const lines = hanging(name.padEnd(NAME_WIDTH), text, columns);
  return lines.map((line, index) => (index === 0 ? withBoldName(name, line) : line));
}

function briefFact([name, text]: Fact, { columns }: Screen): string {
  return withBoldName(name, clipped(`${name.padEnd(NAME_WIDTH)}${text}`, columns));
}

function withBoldName(name: string, line: string): string {
  return `${bold(name)}${line.slice(name.length)}`;
}

function hanging(start: string, text: string, columns: number): string[] {
  const lines = wrapped(asCalled(text), columns - start.length);
  return lines.map((line, index) => clipped(`${index === 0 ? start : ' '.repeat(start.length)}${line}`, columns));
}
