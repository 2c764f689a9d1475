import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../src/package-root.ts';
import { type InterfaceSection, MARKS, type Mark, SECTIONS } from './conformance.ts';

/** One call of `conforms`, read from the source of a test. */
export interface ConformanceTest {
  readonly file: string;
  readonly section: string;
  readonly rows: readonly string[];
  readonly mark: Mark;
  readonly guarantee: string;
}

const FOLDER = 'test/conformance';
const CALL = /^conforms\(\s*'([^']+)',\s*\[([^\]]*)\],\s*'(given|observed|ours)',\s*'((?:[^'\\]|\\.)*)'/gm;

/** Returns every conformance test, by file and then in the order of the file. */
export function conformanceTests(): ConformanceTest[] {
  const files = readdirSync(packageFile(FOLDER)).filter((file) => file.endsWith('.test.ts'));
  return files.sort().flatMap((file) => {
    const source = readFileSync(packageFile(FOLDER, file), 'utf8');
    const calls = source.match(/^conforms\(/gm)?.length ?? 0;
    const tests = [...source.matchAll(CALL)].map(([, section = '', rows = '', mark = 'ours', guarantee = '']) => ({
      file,
      section,
      rows: [...rows.matchAll(/'([^']+)'/g)].map(([, row = '']) => row),
      mark: mark as Mark,
      guarantee: guarantee.replaceAll("\\'", "'"),
    }));
    if (tests.length !== calls)
      throw new Error(`${file}: ${calls} calls of conforms, ${tests.length} that can be read`);
    return tests;
  });
}

/** Returns the rows of the interface that no test proves, as `7.2 funds`. */
export function unprovedRows(tests: readonly ConformanceTest[]): string[] {
  const proved = new Set(tests.flatMap(({ section, rows }) => rows.map((row) => `${section} ${row}`)));
  return allRows().filter((row) => !proved.has(row));
}

/** Returns the rows that a test names and the interface does not have. */
export function unknownRows(tests: readonly ConformanceTest[]): string[] {
  const known = new Set(allRows());
  return tests.flatMap(({ section, rows }) => rows.map((row) => `${section} ${row}`)).filter((row) => !known.has(row));
}

/** Returns the text of docs/conformance.md. */
export function conformanceDocument(tests: readonly ConformanceTest[] = conformanceTests()): string {
  const counts = MARKS.map((mark) => `${tests.filter((test) => test.mark === mark).length} ${mark}`);
  const lines = [
    '# Conformance',
    '',
    'Which section of the service’s interface is proved by which test. Each test drives the typed client against the sandbox,',
    'an independent implementation of the service, over HTTP. **given**: the interface says so; **observed**: seen in',
    'services of the same family, unconfirmed; **ours**: our choice where the interface is silent, or stricter than it.',
    '',
    `${tests.length} tests: ${counts.join(', ')}. Made from \`${FOLDER}\`; update it with: npx vitest run conformance -u`,
    '',
  ];
  for (const section of SECTIONS) lines.push(...sectionLines(section, tests));
  return `${lines.join('\n').trimEnd()}\n`;
}

function sectionLines({ section, title, rows }: InterfaceSection, tests: readonly ConformanceTest[]): string[] {
  const mine = tests.filter((test) => test.section === section);
  const proofsOf = (row: string) =>
    mine.filter((test) => test.rows.includes(row)).map(({ guarantee, mark }) => cell(`${guarantee} (${mark})`));
  const groups = Map.groupBy(Object.keys(rows), (row) => proofsOf(row).join('<br>'));
  const lines = [...groups].map(
    ([proofs, same]) => `| ${same.map((row) => cell(rows[row] ?? '')).join('<br>')} | ${proofs} |`,
  );
  const files = [...new Set(mine.map(({ file }) => `\`${file}\``))].join(', ');
  return [`## ${section} ${title}`, '', `In ${files}.`, '', '| The interface | Proved by |', '|---|---|', ...lines, ''];
}

function allRows(): string[] {
  return SECTIONS.flatMap(({ section, rows }) => Object.keys(rows).map((row) => `${section} ${row}`));
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{', '\\{');
}
