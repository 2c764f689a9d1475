import { sheetChangeColumns, sheetRefusalColumns } from '../../src/lists/sheet.ts';
import type { ImportedSheet } from '../../src/reconcile/sheet/import.ts';
import { REMEDIES, type Refusal, type Remedy } from '../../src/reconcile/sheet/judge/refusal.ts';
import { terminalColumns } from './list-columns.ts';
import { print, printTable } from './output.ts';
import { isoTime, withTimes } from './text.ts';
import { printWaiting } from './waiting.ts';

// What became of a spreadsheet of exceptions, as JSON and on the screen.

interface Shown {
  readonly path: string;
  readonly isDry: boolean;
  /** Null: no row was refused, or nothing was to be written. */
  readonly refusedFile: string | null;
}

export function sheetJson(imported: ImportedSheet, { path, refusedFile }: Omit<Shown, 'isDry'>) {
  const { source, applied, known, rows, unchanged, changed, refused } = imported;
  return {
    ...{ file: path, digest: source.digest, applied, known, rows, unchanged },
    changed: changed.map(({ row, id, changes }) => ({ row, id, changes })),
    waiting: waitingIn(changed),
    refused: refused.map(({ atMs, ...one }) => ({ ...refusalFields(one), at: atMs === null ? null : isoTime(atMs) })),
    refusedFile,
  };
}

/** In the order of the document. */
function refusalFields({ row, id, column, value, reason, message, who }: Omit<Refusal, 'atMs'>) {
  return { row, id, column, value, reason, message, who };
}

export function printImported(imported: ImportedSheet, { path, isDry, refusedFile }: Shown): void {
  const { known, rows, unchanged, changed, refused, applied } = imported;
  if (known) {
    print(`${path} was imported before: nothing changed.`);
    return;
  }
  if (changed.length > 0 && !applied) printTable(changed, terminalColumns(sheetChangeColumns()));
  if (refused.length > 0) printTable(refused, terminalColumns(sheetRefusalColumns(withTimes)));
  const isHeldBack = !isDry && !applied && changed.length > 0;
  const verb = isDry ? 'would change' : isHeldBack ? 'not changed, because others are refused' : 'changed';
  print(
    `${path}: ${rows === 1 ? '1 row' : `${rows} rows`}; ${changed.length} ${verb}, ${unchanged} without a change, ${refused.length} refused.`,
  );
  if (!isHeldBack) printWaiting(waitingIn(changed), { isDry });
  if (refusedFile !== null) for (const line of remediesOf(refused, refusedFile)) print(line);
  if (isDry && changed.length > 0) print(`To do it: tallyhook exceptions import ${path}`);
}

/** What to do about refused rows: a line for each remedy. */
export function remediesOf(refused: readonly Pick<Refusal, 'reason'>[], refusedFile: string): string[] {
  const anew = 'tallyhook exceptions export --out FILE';
  const texts: Readonly<Record<Remedy, (rows: string) => string>> = {
    mend: (rows) => `Mend ${rows} in ${refusedFile}, then: tallyhook exceptions import ${refusedFile}`,
    export: (rows) => `Not to be mended in ${refusedFile}: ${rows}. Export again, and fill the new file: ${anew}`,
    act: (rows) => `Not to be mended in ${refusedFile}: ${rows}. Do first what WHY says, then export again: ${anew}`,
  };
  return (['mend', 'export', 'act'] as const).flatMap((remedy) => {
    const own = refused.filter(({ reason }) => REMEDIES[reason] === remedy);
    const reasons = [...new Set(own.map(({ reason }) => reason))].join(', ');
    return own.length === 0 ? [] : [texts[remedy](`${own.length} ${own.length === 1 ? 'row' : 'rows'} (${reasons})`)];
  });
}

function waitingIn(changed: ImportedSheet['changed']): string[] {
  return changed.filter(({ waits, act }) => waits && act.resolve !== undefined).map(({ id }) => id);
}
