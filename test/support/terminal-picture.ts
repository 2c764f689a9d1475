/** The picture's grid: characters in a line, and one character in SVG units. */
const COLUMNS = 104;
const CHARACTER = { width: 8, height: 20, fontSize: 13.3 };
const PADDING = 20;
const TITLE_BAR = 36;

/** Colours of a terminal on a light and on a dark desktop. The window brings its own background, so either fits any page. */
const COLOURS = {
  light: {
    page: '#ffffff',
    bar: '#f0f2f4',
    edge: '#d0d7de',
    text: '#1f2328',
    faint: '#656d76',
    green: '#1a7f37',
    red: '#cf222e',
  },
  dark: {
    page: '#0d1117',
    bar: '#161b22',
    edge: '#30363d',
    text: '#e6edf3',
    faint: '#8d96a0',
    green: '#3fb950',
    red: '#f85149',
  },
} as const;

/** Terminal codes that the command line writes: bold, red, green, and their ends. */
const STYLES: Readonly<Record<string, string>> = { '1': 'bold', '22': '', '31': 'red', '32': 'green', '39': '' };

interface Run {
  readonly text: string;
  readonly style: string;
  readonly column: number;
}

/**
 * An SVG of a terminal window in which `command` printed `output`, codes included. Uses no font or address from outside;
 * words stand at fixed columns, so that every monospaced font lines up.
 *
 * @throws Error for a code that the command line does not write
 */
export function terminalPicture(command: string, output: string): string {
  const lines = [
    promptLine(command),
    ...output
      .trimEnd()
      .split('\n')
      .flatMap((line) => folded(runsOf(line))),
  ];
  const width = COLUMNS * CHARACTER.width + 2 * PADDING;
  const height = TITLE_BAR + lines.length * CHARACTER.height + 2 * PADDING;
  const rows = lines.flatMap((runs, row) => {
    const y = TITLE_BAR + PADDING + row * CHARACTER.height + CHARACTER.fontSize;
    return runs.map((run) => textElement(run, y));
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(command)}</title>`,
    `<style>\n${styleSheet()}\n</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    `<path class="bar" d="M0.5 ${TITLE_BAR}V8.5a8 8 0 0 1 8-8H${width - 8.5}a8 8 0 0 1 8 8V${TITLE_BAR}Z"/>`,
    ...[0, 1, 2].map((n) => `<circle class="button" cx="${PADDING + n * 20}" cy="${TITLE_BAR / 2}" r="6"/>`),
    ...rows,
    '</svg>',
  ].join('\n')}\n`;
}

function promptLine(command: string): Run[] {
  return [
    { text: '$', style: 'faint', column: 0 },
    { text: command, style: 'bold', column: 2 },
  ];
}

/** The words of a line with their styles; two spaces or more separate runs. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let style = '';
  let column = 0;
  for (const [index, part] of line.split(CODE).entries()) {
    if (index % 2 === 1) {
      const next = STYLES[part];
      if (next === undefined) throw new Error(`The picture knows no terminal code ${part}.`);
      style = next;
      continue;
    }
    for (const { 0: text, index: at } of part.matchAll(/\S+(?: \S+)*/g))
      runs.push({ text, style, column: column + at });
    column += part.length;
  }
  return runs;
}

/** Splits a line into text and, at the odd places, the numbers of its codes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes are what it looks for
const CODE = /\u001b\[([\d;]*)m/;

/** A line that is too long goes on below its last run, broken at a space: a table keeps its columns. */
function folded(runs: readonly Run[]): Run[][] {
  const last = runs.at(-1);
  if (last === undefined || last.column + last.text.length <= COLUMNS) return [[...runs]];
  const room = COLUMNS - last.column;
  const cut = last.text.lastIndexOf(' ', room);
  if (cut <= 0) throw new Error(`No space to break at within ${room} characters: ${last.text}`);
  const rest = { ...last, text: last.text.slice(cut + 1) };
  return [[...runs.slice(0, -1), { ...last, text: last.text.slice(0, cut) }], ...folded([rest])];
}

function textElement({ text, style, column }: Run, y: number): string {
  const x = PADDING + column * CHARACTER.width;
  const name = style === '' ? '' : ` class="${style}"`;
  const length = [...text].length * CHARACTER.width;
  return `<text${name} x="${x}" y="${Number(y.toFixed(1))}" textLength="${length}">${escaped(text)}</text>`;
}

function styleSheet(): string {
  const font = `ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace`;
  return [
    `text { font: ${CHARACTER.fontSize}px ${font}; }`,
    '.bold { font-weight: 700; }',
    ...colourRules(COLOURS.light),
    '@media (prefers-color-scheme: dark) {',
    ...colourRules(COLOURS.dark).map((rule) => `  ${rule}`),
    '}',
  ].join('\n');
}

function colourRules({ page, bar, edge, text, faint, green, red }: (typeof COLOURS)[keyof typeof COLOURS]): string[] {
  return [
    `.page { fill: ${page}; stroke: ${edge}; }`,
    `.bar { fill: ${bar}; stroke: ${edge}; }`,
    `.button { fill: ${edge}; }`,
    `text { fill: ${text}; }`,
    `.faint { fill: ${faint}; }`,
    `.green { fill: ${green}; }`,
    `.red { fill: ${red}; }`,
  ];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
