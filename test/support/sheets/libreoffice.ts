import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Fields separated by commas, in quotes where needed, UTF-8, from row 1; the last part: the first sheet alone, as shown. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,1';
/** How a person's program opens a CSV file: commas, UTF-8, numbers and days recognised as the language has them. */
const CSV_INPUT = 'CSV:44,34,76,1,,1033,false,true';

/** Opens a file in LibreOffice Calc and saves it in another form. */
export function savedByLibreOffice(bytes: Buffer, from: 'csv' | 'xlsx', to: 'csv' | 'xlsx' | 'fods'): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-calc-'));
  try {
    const name = `sheet.${from}`;
    writeFileSync(join(folder, name), bytes);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const input = from === 'csv' ? [`--infilter=${CSV_INPUT}`] : [];
    const form = { csv: CSV_FILTER, xlsx: 'xlsx:Calc MS Excel 2007 XML', fods: 'fods' }[to];
    const args = [profile, '--headless', '--norestore', ...input, '--convert-to', form, '--outdir', 'out', name];
    const { status, stderr } = spawnSync('soffice', args, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
    if (status !== 0) throw new Error(`soffice: ${status} ${stderr}`);
    const [saved] = readdirSync(join(folder, 'out'));
    if (saved === undefined) throw new Error(`soffice wrote no ${to}: ${stderr}`);
    return readFileSync(join(folder, 'out', saved));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A cell as LibreOffice has it after opening a file. */
export interface CalcCell {
  /** `string`, `float`, `date` …; empty: nothing stands there. */
  readonly type: string;
  readonly value: string;
  readonly isFormula: boolean;
}

/** The cells of the first sheet, as LibreOffice tells them itself. */
export function cellsInLibreOffice(bytes: Buffer, from: 'csv' | 'xlsx'): CalcCell[][] {
  const [table = ''] =
    /<table:table .*?<\/table:table>/s.exec(savedByLibreOffice(bytes, from, 'fods').toString()) ?? [];
  return [...table.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = '', inside = '']) => {
        const said = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
        const cell = {
          type: said('office:value-type'),
          value: said('office:date-value') || said('office:value') || textIn(inside),
          isFormula: attributes.includes('table:formula'),
        };
        return Array<CalcCell>(Math.min(Number(said('number-columns-repeated') || 1), 30)).fill(cell);
      },
    ),
  );
}

function textIn(cell: string): string {
  const lines = [...cell.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, line = '']) => line.replace(/<[^>]*>/g, ''));
  return lines.join('\n');
}
