import type { Archive } from '../../store/archive.ts';
import { reportCsv } from './csv.ts';
import { pageBytes } from './html/page-bytes.ts';
import type { PrintedReport } from './shown.ts';
import { reportWorkbook } from './xlsx.ts';

/** The forms of a report that are files. */
export const REPORT_FORMATS = ['json', 'csv', 'xlsx', 'html'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * The bytes of a report. The same report gives the same bytes.
 *
 * @throws SheetTooLongError or WorkbookTooLargeError of XLSX
 */
export async function renderReport(archive: Archive, shown: PrintedReport, format: ReportFormat): Promise<Buffer> {
  switch (format) {
    case 'json':
      return Buffer.from(shown.text);
    case 'csv':
      return Buffer.from(reportCsv(shown.report, shown.signOff));
    case 'xlsx':
      return reportWorkbook(shown);
    case 'html':
      return pageBytes(archive, shown);
  }
}
