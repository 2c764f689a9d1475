import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REPORT_FORMATS, type ReportFormat } from '../reconcile/report/render.ts';
import type { KeptPeriod } from '../store/periods.ts';

/** The name of a scheduled report in `reports.folder`: `2026-10-shop.html`. */
export function reportFileName(period: string, set: string, format: ReportFormat): string {
  return `${period}-${set}.${format}`;
}

/** Deletes the scheduled reports of periods whose frozen report was erased. Returns how many there were. */
export async function deleteReportFiles(folder: string, periods: readonly KeptPeriod[]): Promise<number> {
  let deleted = 0;
  for (const { set, period, closings } of periods) {
    if (closings.at(-1)?.erasedAtMs == null) continue;
    for (const format of REPORT_FORMATS) {
      if (await isDeleted(join(folder, reportFileName(period, set.name, format)))) deleted++;
    }
  }
  return deleted;
}

/** False: it was not there. */
async function isDeleted(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
