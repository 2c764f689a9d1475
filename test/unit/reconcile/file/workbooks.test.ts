import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/reconcile/file/cell.ts';
import { Counter, FILE_LIMITS } from '../../../../src/reconcile/file/limits.ts';
import { openFile } from '../../../../src/reconcile/file/opened-file.ts';
import { StatementFileError } from '../../../../src/reconcile/file/problem.ts';
import { xlsxRows } from '../../../../src/reconcile/file/xlsx.ts';
import { seededRandom } from '../../../support/random.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import { randomWorkbook } from '../../../support/statements/random-workbook.ts';
import { zip } from '../../../support/statements/spreadsheet.ts';
import { withFile } from '../../../support/statements/statement.ts';

// Any workbook is read as its cells, or refused in a sentence; nothing else happens.

const SEED = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
const ROUNDS = Number(process.env.TALLYHOOK_TEST_ROUNDS ?? randomRuns(300));

const HOSTILE = [
  '<',
  '>',
  '&',
  '"',
  '&#0;',
  '&#x110000;',
  '<!--',
  ']]>',
  '<row r="1048577">',
  'XFD1',
  '9'.repeat(400),
  '[',
  '\0',
];

/** A text with a piece taken out, doubled, or replaced by what no program writes. */
function mutated(text: string, random: () => number): string {
  const from = Math.floor(random() * text.length);
  const end = Math.min(from + Math.floor(random() * 40), text.length);
  const piece = [text.slice(from, end).repeat(2), '', HOSTILE[Math.floor(random() * HOSTILE.length)] ?? ''];
  return text.slice(0, from) + (piece[Math.floor(random() * 3)] ?? '') + text.slice(end);
}

async function read(bytes: Buffer) {
  return withFile(
    bytes,
    async (path) => {
      await using file = await openFile(path, FILE_LIMITS);
      const counter = new Counter(file.name, FILE_LIMITS);
      const [rows, formulas]: [(readonly Cell[])[], string[]] = [[], []];
      for await (const batch of xlsxRows(file, { sheet: 1 }, counter)) {
        rows.push(...batch.rows);
        for (const [row, columns] of batch.formulas ?? [])
          for (const column of columns) formulas.push(`${row}:${column}`);
      }
      return { rows, formulas };
    },
    'book.xlsx',
  );
}

describe(`seed ${SEED}`, () => {
  test('the cells of a workbook are read as they were written, whatever the program', async () => {
    const random = seededRandom(SEED);
    for (let index = 0; index < randomRuns(200); index++) {
      const { bytes, rows, formulas } = randomWorkbook(random);
      expect(await read(bytes), `workbook ${index}`).toEqual({ rows, formulas });
    }
  });

  test('with any byte changed it is the same cells, or refused in a sentence', async () => {
    const random = seededRandom(SEED + 1);
    const counts = { same: 0, refused: 0 };
    for (let index = 0; index < ROUNDS; index++) {
      const { bytes, rows, formulas } = randomWorkbook(random, 5);
      const at = Math.floor(random() * bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
      const answer = await read(bytes).catch((error: unknown) => error);
      if (answer instanceof StatementFileError) counts.refused++;
      else {
        expect(answer, `workbook ${index}, byte ${at}`).toEqual({ rows, formulas });
        counts.same++;
      }
    }
    expect(Math.min(counts.same, counts.refused)).toBeGreaterThan(ROUNDS / 20);
  });

  test('with any piece of a part changed it is read, or refused in a sentence', async () => {
    const random = seededRandom(SEED + 2);
    const counts = { read: 0, refused: 0 };
    for (let index = 0; index < ROUNDS; index++) {
      const { parts } = randomWorkbook(random, 5);
      const names = Object.keys(parts);
      const name = names[Math.floor(random() * names.length)] ?? '';
      const answer = await read(zip({ ...parts, [name]: mutated(String(parts[name]), random) })).catch(
        (error) => error,
      );
      if (!(answer instanceof Error)) counts.read++;
      else {
        expect(answer, `workbook ${index}, ${name}`).toBeInstanceOf(StatementFileError);
        counts.refused++;
      }
    }
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(ROUNDS / 20);
  });
});
