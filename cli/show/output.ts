import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { styleText } from 'node:util';
import { indentedJson } from '../../src/domain/text/json-text.ts';
import { printable, printableJson, printableLine } from '../../src/domain/text/printable.ts';
import { writtenSeq } from '../../src/store/written.ts';
import { namedValueLines } from './named-value.ts';
import { asCalled } from './program.ts';
import { type Column, layTable } from './table.ts';
import { wrapped } from './text.ts';
import { widthOf } from './width.ts';

export type { Column } from './table.ts';

// Everything that commands print: results on stdout, all else on stderr, without control characters.

/** Exit code 3: done, and differences were found, such as breaks, stuck records or failed checks. */
export const DIFFERENCES_FOUND = 3;

/** Sets exit code 3: the command is done and found differences. */
export function differencesFound(): void {
  process.exitCode = DIFFERENCES_FOUND;
}

/** Sets exit code 1: the command is done and its result is "no", or it was cut short. */
export function answeredNo(): void {
  process.exitCode = 1;
}

/**
 * Prints lines of the result on stdout, the program's commands in them as they can be typed. On a terminal a long line is wrapped
 * at spaces and goes on below its own beginning.
 */
export function print(text = ''): void {
  const room = terminalWidth();
  const lines = asCalled(printable(text)).split('\n');
  const laid = room === Number.POSITIVE_INFINITY ? lines : lines.flatMap((line) => wrappedLine(line, room));
  process.stdout.write(`${withCodes(laid.join('\n'))}\n`);
}

function wrappedLine(line: string, room: number): string[] {
  const widthShown = (text: string) => widthOf(text.replace(CODES, ''));
  if (widthShown(line) <= room) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  return wrapped(line.slice(indent.length), room - indent.length, widthShown).map((one) => indent + one);
}

/** Prints text whose lines stay as they are, such as a body or a script that is pasted. */
export function printVerbatim(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** Prints a body. On a terminal JSON is indented; a file or pipe gets the text itself. */
export function printBodyText(text: string): void {
  printVerbatim(terminalWidth() === Number.POSITIVE_INFINITY ? text : indentedJson(text));
}

/** Replaces what is on the terminal by these lines of the result. */
export function redraw(lines: readonly string[]): void {
  const text = lines.map((line) => withCodes(asCalled(printableLine(line)))).join('\n');
  process.stdout.write(`${CLEAR_SCREEN}${text}\n`);
}

/** Prints progress, a warning or advice on stderr. */
export function note(text: string): void {
  const room = widthOfTerminal(process.stderr);
  const lines = asCalled(printable(text)).split('\n');
  process.stderr.write(`${lines.flatMap((line) => wrapped(line, room)).join('\n')}\n`);
}

/** Prints text of a file format on stderr: unchanged, unless that is a terminal. */
export function noteText(text: string): void {
  const isTerminal = process.stderr.isTTY === true;
  process.stderr.write(isTerminal ? printable(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')) : text);
}

/** Prints a JSON document on stderr, on one line: an error with `--json`. */
export function noteJson(value: unknown): void {
  process.stderr.write(`${jsonText(value)}\n`);
}

/**
 * Prints the whole result of a command run with `--json`: one JSON document on stdout. Of several machines, what wrote also says which entry
 * of their log it wrote last: `seq`, for `--at-least` on another machine.
 */
export function printJson(value: unknown): void {
  const seq = writtenSeq();
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  process.stdout.write(`${jsonText(seq !== null && isObject ? { seq, ...value } : value, 2)}\n`);
}

/** Prints one line of NDJSON, for results that are a stream; resolves when stdout accepts more. */
export function printJsonLine(value: unknown): Promise<void> {
  return flowing(process.stdout.write(`${jsonText(value)}\n`));
}

/** Prints text of a file format, unchanged unless stdout is a terminal; resolves when stdout accepts more. */
export function writeText(text: string): Promise<void> {
  return flowing(process.stdout.write(process.stdout.isTTY === true ? printable(text) : text));
}

/** Prints exact bytes, control characters included: only where the user requested raw bytes. */
export function printBytes(bytes: Uint8Array): Promise<void> {
  return flowing(process.stdout.write(bytes));
}

/** Prints a table without borders that fits the terminal; a file or pipe gets all columns. Without rows, a note: `empty`. */
export function printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty = 'None.'): void {
  if (rows.length === 0) {
    note(empty);
    return;
  }
  const { lines, leftOut } = layTable(rows, columns, {
    room: terminalWidth(),
    styled: bold,
  });
  process.stdout.write(`${withCodes(lines.join('\n'))}\n`);
  if (leftOut.length > 0) note(`Left out to fit the terminal: ${leftOut.join(', ')}`);
}

/** Columns of the terminal on stdout; infinite for a file or pipe. */
export function terminalWidth(): number {
  return widthOfTerminal(process.stdout);
}

function widthOfTerminal({ isTTY, columns }: NodeJS.WriteStream): number {
  return isTTY === true ? columns || USUAL_WIDTH : Number.POSITIVE_INFINITY;
}

/** For a terminal that reports no size, such as a serial console. */
const USUAL_WIDTH = 80;

/** Prints a heading, on a terminal wrapped at spaces. */
export function printTitle(text: string): void {
  for (const line of wrapped(text, terminalWidth())) print(bold(line));
}

/** Lines of a name and a value, lined up; null is shown as `-`. On a terminal a long value is wrapped. */
export function printFacts(facts: readonly (readonly [string, string | number | null])[]): void {
  const nameWidth = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) {
    const text = asCalled(printableLine(String(value ?? '-')));
    for (const line of namedValueLines(name, text, { nameWidth, room: terminalWidth() })) print(line);
  }
}

/** Bold where stdout shows colours: Node decides by the terminal, TERM, NO_COLOR and FORCE_COLOR. */
export function bold(text: string): string {
  return styled('bold', text);
}

/** Green for good news, red for bad, where stdout shows colours. */
export function verdictText(text: string, good: boolean): string {
  return styled(good ? 'green' : 'red', text);
}

async function flowing(hasRoom: boolean): Promise<void> {
  if (!hasRoom) await once(process.stdout, 'drain');
}

function styled(style: 'bold' | 'green' | 'red', text: string): string {
  return styleText(style, printable(text), { stream: process.stdout }).replaceAll(CODE_START, MARK);
}

const CODE_START = '\u001b[';
/** To the first place of the screen, then delete to its end. */
const CLEAR_SCREEN = `${CODE_START}H${CODE_START}J`;
/** Stands for the start of a terminal code until the text has passed the filter. Random: text from outside cannot hold it. */
const MARK = randomUUID();
/** The codes of a text: they take no column. */
const CODES = new RegExp(`${MARK}\\d+m`, 'g');

function withCodes(filtered: string): string {
  return filtered.replaceAll(MARK, CODE_START);
}

/** JSON on several lines, as `printJson` prints it, for a document that is written in parts. */
export function jsonLines(value: unknown): string {
  return jsonText(value, 2);
}

/** JSON with bigint as text, and characters that a terminal would act on as \u escapes. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item), indent);
  return printableJson(text);
}
