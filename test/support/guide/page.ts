import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { packageFile } from '../../../src/package-root.ts';
import { commandsOf } from '../documents/shell.ts';
import { GuideMonth } from './month.ts';

/*
 * docs/month.md. Its commands are carried out in their order, and each block of text below them is what they
 * print. Comments of the page, which a reader does not see, say what the page alone cannot:
 *
 *   at 2026-11-03T08:00:00Z          the time of the next command; each one after it is a minute later
 *   exit 3                           how the next block ends, when not with 0
 *   shown "Balance" to "Unexplained" which lines of the next output stand in the page: from one that begins so to one that does
 *   fill october.csv                 writes the cells of the table before it into that file, as a person does in a spreadsheet
 */

export const GUIDE_PAGE = packageFile('docs/month.md');

/** The page with what its commands print now, carried out in `folder`. */
export async function playedPage(page: string, folder: string): Promise<string> {
  const month = await GuideMonth.in(folder);
  try {
    return await new Player(month).play(page);
  } finally {
    await month.end();
  }
}

const PIECE = /^<!-- (?<comment>.*?) -->$|^```(?<language>\w*)\n(?<block>.*?)^```$|(?<table>(?:^\|[^\n]*\n)+)/gms;

class Player {
  readonly #month: GuideMonth;
  #atMs = 0;
  #exit = 0;
  #shown: string | null = null;
  #table = '';
  #output: string | null = null;

  constructor(month: GuideMonth) {
    this.#month = month;
  }

  /** The page with new outputs. */
  async play(page: string): Promise<string> {
    let played = '';
    let from = 0;
    for (const found of page.matchAll(PIECE)) {
      played += page.slice(from, found.index) + (await this.#piece(found[0], found.groups ?? {}));
      from = found.index + found[0].length;
    }
    return played + page.slice(from);
  }

  async #piece(text: string, { comment, language, block = '', table }: Record<string, string | undefined>) {
    if (table !== undefined) this.#table = table;
    if (comment !== undefined) this.#order(comment);
    if (language === 'sh') await this.#run(block);
    if (language !== 'text' || this.#output === null) return text;
    const output = excerpt(this.#output, this.#shown);
    this.#output = null;
    this.#shown = null;
    return `\`\`\`text\n${output}\`\`\``;
  }

  #order(comment: string): void {
    const [word = '', ...rest] = comment.split(' ');
    const said = rest.join(' ');
    if (word === 'at') this.#atMs = Date.parse(said);
    else if (word === 'exit') this.#exit = Number(said);
    else if (word === 'shown') this.#shown = said;
    else if (word === 'fill') fill(join(this.#month.folder, said), this.#table);
  }

  async #run(block: string): Promise<void> {
    this.#output = '';
    let last = 0;
    const commands = commandsOf(block);
    if (commands.length === 0) throw new Error(`No whole command is in:\n${block}`);
    for (const command of commands) {
      const { code, output } = await this.#month.run(command, this.#atMs);
      this.#atMs += 60_000;
      this.#output += output;
      last = code;
      if (code !== 0 && code !== this.#exit) throw new Error(`${command}\nended with ${code}:\n${output}`);
    }
    if (last !== this.#exit)
      throw new Error(`It ended with ${last}, not with ${this.#exit}:\n${block}\n${this.#output}`);
    this.#exit = 0;
  }
}

/** The lines that the page shows; `…` stands for those left out. */
function excerpt(output: string, shown: string | null): string {
  const lines = output
    .replaceAll('\uFEFF', '')
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  if (shown === null) return `${lines.join('\n')}\n`;
  const kept: string[] = [];
  let next = 0;
  for (const [, first = '', last = first] of shown.matchAll(/"([^"]+)"(?: to "([^"]+)")?/g)) {
    const from = lines.findIndex((line, at) => at >= next && line.startsWith(first));
    const to = lines.findIndex((line, at) => at >= from && line.startsWith(last));
    if (from < 0 || to < 0)
      throw new Error(`No lines from ${JSON.stringify(first)} to ${JSON.stringify(last)}:\n${output}`);
    kept.push(...(from > next ? ['…'] : []), ...lines.slice(from, to + 1));
    next = to + 1;
  }
  return `${[...kept, ...(next < lines.length ? ['…'] : [])].join('\n')}\n`;
}

/** Writes a table of the page, by reference, into the spreadsheet. */
function fill(path: string, table: string): void {
  const [header = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
  const byReference = new Map(rows.map((row) => [row[0], row]));
  const sheet = parse(readFileSync(path), { bom: true, columns: true }) as Record<string, string>[];
  const filled = sheet.map((line) => {
    const row = byReference.get(line.reference);
    return row === undefined
      ? line
      : { ...line, ...Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])) };
  });
  writeFileSync(path, stringify(filled, { header: true, bom: true, record_delimiter: '\r\n' }));
}
