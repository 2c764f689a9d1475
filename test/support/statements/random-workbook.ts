import type { Cell } from '../../../src/reconcile/file/cell.ts';
import { zip } from './spreadsheet.ts';

// Workbooks as different programs write them, with the cells that they hold: by a seed, so that a failing one can be made again.

export interface RandomWorkbook {
  readonly parts: Readonly<Record<string, string | Buffer>>;
  /** Of its first sheet, from row 1; cells behind the last filled one of a row are left out. */
  readonly rows: readonly (readonly Cell[])[];
  /** Places of formulas, `row:column`. */
  readonly formulas: readonly string[];
  readonly bytes: Buffer;
}

const DAY_FORMATS = ['yyyy-mm-dd', '[$-409]d\\-mmm\\-yy;@', 'dd/mm/yyyy hh:mm:ss', 'd"."m"."yyyy'];
const NUMBER_FORMATS = ['#,##0.00', '[Red]-0.00', '"d" 0', '0.00E+00'];
const TEXTS = [
  '',
  'Ada & Bola',
  '<b>',
  '  two  ',
  'line\nend',
  '"q\'',
  'über 5 €',
  '𝔘',
  '_x000D_',
  ']]>',
  'x'.repeat(300),
];
const START_DAYS = 25_569;

type Random = () => number;
const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

/** Returns a workbook of up to `most` rows. */
export function randomWorkbook(random: Random, most = 30): RandomWorkbook {
  const how = {
    prefix: pick(random, ['', '', 'x:']),
    strict: random() < 0.2,
    is1904: random() < 0.3,
    hasPlaces: random() < 0.8,
    folder: pick(random, ['worksheets/', 'sheets/', '../cells/', '/any/']),
    quote: pick(random, ['"', "'"]),
    isUtf16: random() < 0.15,
  };
  const shared: string[] = [];
  const formulas: string[] = [];
  const rows: Cell[][] = [];
  let xml = '';
  for (let row = 1, count = Math.floor(random() * most); row <= count; row++) {
    if (random() < 0.15 && how.hasPlaces) {
      rows.push([]);
      continue;
    }
    const cells: Cell[] = [];
    let inside = '';
    for (let column = 0, width = Math.floor(random() * 8); column < width; column++) {
      if (random() < 0.2 && how.hasPlaces) {
        cells.push('');
        continue;
      }
      const made = randomCell(random, shared, how.is1904);
      if (made.formula) formulas.push(`${row}:${column}`);
      cells.push(made.cell);
      inside += element(random, how, made, how.hasPlaces ? `${letters(column)}${row}` : null);
    }
    while (cells.at(-1) === '') cells.pop();
    rows.push(cells);
    const place = how.hasPlaces ? ` r=${how.quote}${row}${how.quote}` : '';
    xml += `<${how.prefix}row${place} spans="1:8" note="a > b">${inside}</${how.prefix}row>${noise(random)}`;
  }
  while (rows.at(-1)?.length === 0 && !formulas.some((one) => one.startsWith(`${rows.length}:`))) rows.pop();
  const { prefix: x } = how;
  const namespace = how.strict ? 'http://purl.oclc.org/ooxml/spreadsheetml/main' : MAIN;
  const own = x === '' ? 'xmlns' : 'xmlns:x';
  const sheet = `${HEAD}<${x}worksheet ${own}="${namespace}">${noise(random)}<${x}dimension ref="A1:ZZ9999"/><${x}sheetData>${xml}</${x}sheetData><${x}extLst><${x}ext><row r="1"><c r="A1"><v>99</v></c></row></${x}ext></${x}extLst></${x}worksheet>`;
  const relations = how.strict ? 'http://purl.oclc.org/ooxml/officeDocument/relationships' : RELATIONS;
  const target = `${how.folder}sheet1.xml`;
  const part = target.startsWith('/') ? target.slice(1) : target.startsWith('../') ? target.slice(3) : `xl/${target}`;
  const texts = shared.map((text, index) => `<si>${index % 3 === 0 ? richText(text) : plainText(text)}</si>`);
  const parts: Record<string, string | Buffer> = {
    '[Content_Types].xml': `${HEAD}<Types/>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${namespace}" xmlns:r="${relations}"><workbookPr date1904="${how.is1904 ? '1' : '0'}"/><sheets><sheet name="One &amp; only" sheetId="1" r:id="rId1"/><sheet name="Two" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="${target}"/><Relationship Id="rId2" Type="${relations}/worksheet" Target="worksheets/other.xml"/><Relationship Id="rId3" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId4" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': `${HEAD}<sst count="${shared.length}">${texts.join('')}</sst>`,
    [part]: how.isUtf16 ? Buffer.from(`\ufeff${sheet}`, 'utf16le') : random() < 0.2 ? `\ufeff${sheet}` : sheet,
    'xl/worksheets/other.xml': `${HEAD}<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`,
  };
  return { parts, rows, formulas, bytes: zip(parts) };
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Formats of cells: 0 none, 1 a built-in day, 2 to 5 days of the workbook's own, 6 to 9 numbers, 10 a day of the base style. */
const STYLES = `${HEAD}<styleSheet><numFmts>${[...DAY_FORMATS, ...NUMBER_FORMATS]
  .map((format, index) => `<numFmt numFmtId="${170 + index}" formatCode="${format.replaceAll('"', '&quot;')}"/>`)
  .join(
    '',
  )}</numFmts><cellStyleXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0" xfId="0"/><xf numFmtId="14"/>${Array.from({ length: 8 }, (_, index) => `<xf numFmtId="${170 + index}" xfId="0"/>`).join('')}<xf xfId="1"/></cellXfs><dxfs><dxf><numFmt numFmtId="170" formatCode="0"/></dxf></dxfs></styleSheet>`;

interface Made {
  readonly cell: Cell;
  readonly type: string | null;
  readonly format: number | null;
  readonly inside: string;
  readonly formula: boolean;
}

function randomCell(random: Random, shared: string[], is1904: boolean): Made {
  const plain = { type: null, format: null, formula: false };
  const formula = random() < 0.15;
  const f = formula ? pick(random, ['<f>SUM(A1:A2)</f>', '<f t="shared" si="0"/>']) : '';
  const text = pick(random, TEXTS);
  switch (Math.floor(random() * 8)) {
    case 0: {
      const said = text.includes('_x') ? '_x005F_x000D_' : text;
      return { ...plain, cell: text, type: 'inlineStr', inside: `<is>${plainText(said)}</is>` };
    }
    case 1:
      shared.push(text.includes('_x') ? '_x005F_x000D_' : text);
      return { ...plain, cell: text, type: 's', inside: `<v>${shared.length - 1}</v>` };
    case 2: {
      const number = pick(random, ['0', '-12.5', '79.31999999999999', '1E-2', '123456789012345678', '0.1']);
      const format = pick(random, [null, 0, 6, 7, 8, 9]);
      return { ...plain, cell: { kind: 'number', text: number }, format, formula, inside: `${f}<v>${number}</v>` };
    }
    case 3: {
      const [day, part] = [Math.floor(random() * 30_000), pick(random, [0, 0, 0.25, 0.5])];
      const number = START_DAYS + day + part - (is1904 ? 1_462 : 0);
      const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
      const cell = { kind: 'date', date, timeMs: part === 0 ? null : part * 86_400_000 } as const;
      return { ...plain, cell, format: pick(random, [1, 2, 3, 4, 5, 10]), formula, inside: `${f}<v>${number}</v>` };
    }
    case 4:
      return { ...plain, cell: pick(random, ['TRUE']), type: 'b', formula, inside: `${f}<v>1</v>` };
    case 5:
      return { ...plain, cell: { kind: 'error', text: '#DIV/0!' }, type: 'e', formula, inside: `${f}<v>#DIV/0!</v>` };
    case 6: {
      const said = text === '_x000D_' ? 'a' : text;
      return { ...plain, cell: said, type: 'str', formula, inside: `${f}<v>${escaped(said)}</v>` };
    }
    default:
      return { ...plain, cell: '', formula, inside: f };
  }
}

type How = { readonly prefix: string; readonly quote: string };

function element(random: Random, { prefix: x, quote }: How, made: Made, place: string | null): string {
  const spelt = place !== null && random() < 0.1 ? `&#${place.charCodeAt(0)};${place.slice(1)}` : place;
  const attributes = [
    ...(spelt === null ? [] : [`r=${quote}${spelt}${quote}`]),
    ...(made.format === null ? [] : [`s="${made.format}"`]),
    ...(made.type === null ? [] : [`t="${made.type}"`]),
    ...(random() < 0.1 ? ['other="1 > 0"'] : []),
  ];
  if (random() < 0.3) attributes.reverse();
  const inside = made.inside.replace(/<(\/?)(?=\w)/g, `<$1${x}`);
  return `<${x}c ${attributes.join(random() < 0.2 ? '\n\t' : ' ')}>${inside}</${x}c>`;
}

/** What stands between elements and means nothing. */
function noise(random: Random): string {
  return random() < 0.1 ? pick(random, ['<!-- <row r="9"> -->', '<?note <c r="A1"?>', '\n  ', '<!---->']) : '';
}

function plainText(text: string): string {
  return text.length > 200
    ? `<t><![CDATA[${text}]]></t>`
    : `<t xml:space="preserve">${escaped(text)}</t><rPh sb="0" eb="1"><t>no text</t></rPh>`;
}

function richText(text: string): string {
  // Between two letters: an escape of one look is whole.
  const half = text.startsWith('_x') ? text.length : Math.floor([...text].length / 2);
  const [first, second] = [[...text].slice(0, half).join(''), [...text].slice(half).join('')];
  return `<r><rPr><b/><rFont val="t"/></rPr><t>${escaped(first)}</t></r><r><t xml:space="preserve">${escaped(second)}</t></r>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"€]/g, (sign) => `&#${sign === '<' ? 'x3C' : sign.charCodeAt(0)};`);
}

function letters(column: number): string {
  return String.fromCharCode(65 + column);
}
