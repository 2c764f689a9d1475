import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STANDARD_REASONS } from '../../../src/domain/exceptions/reasons.ts';
import type { ReasonRules } from '../../../src/domain/exceptions/words.ts';
import type { SheetException } from '../../../src/reconcile/sheet/columns.ts';
import { type JudgedRows, judgeRows } from '../../../src/reconcile/sheet/judge/judge.ts';
import { tableRows } from '../../../src/reconcile/sheet/judge/row.ts';
import { headerOf } from '../../../src/reconcile/sheet/read/header.ts';
import { readSource } from '../../../src/reconcile/sheet/read/source.ts';
import { TODAY } from './exceptions.ts';

/** Reads a file as import does. */
export async function readBytes(bytes: Buffer | string) {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-sheet-'));
  try {
    const path = join(folder, 'sheet');
    writeFileSync(path, bytes);
    const source = await readSource(path);
    const header = headerOf(source);
    return { source, header, rows: tableRows(source.rows, header) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Judges a file against exceptions as they stand now. */
export async function judged(
  bytes: Buffer | string,
  now: readonly SheetException[],
  { reasons = STANDARD_REASONS, today = TODAY }: { reasons?: ReasonRules; today?: string } = {},
): Promise<JudgedRows & { readonly rows: number }> {
  const { source, rows } = await readBytes(bytes);
  const exceptions = new Map(now.map((one) => [one.id, one]));
  return { ...judgeRows(rows, { format: source.format, exceptions, reasons, by: 'ada', today }), rows: rows.length };
}
