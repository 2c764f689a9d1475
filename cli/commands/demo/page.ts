import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeReasonOf } from '../../../src/config/problems.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { renderReport } from '../../../src/reconcile/report/render.ts';
import { reportOfRun } from '../../../src/reconcile/report/shown.ts';
import { writeWholeFile } from '../../../src/reconcile/report/whole-file.ts';
import type { Archive } from '../../../src/store/archive.ts';

/** Where the page of the demo is left: a browser opens it when the demo is over. */
export const DEMO_PAGE = 'data/demo-report.html';

/** Writes what the run of the demo found as one page. @throws TallyhookError when the folder cannot be written */
export async function writeDemoPage(archive: Archive, run: number): Promise<string> {
  const bytes = await renderReport(archive, await reportOfRun(archive, run), 'html');
  try {
    mkdirSync(dirname(DEMO_PAGE), { recursive: true, mode: 0o700 });
    await writeWholeFile(DEMO_PAGE, bytes);
  } catch (cause) {
    const hint = 'Change to a folder that this user may write to.';
    throw new TallyhookError(`Cannot write ${DEMO_PAGE}: ${writeReasonOf(cause)}.`, { kind: 'failed', hint, cause });
  }
  return DEMO_PAGE;
}
