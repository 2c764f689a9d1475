import { currenciesOf, ofCurrency } from '../../../src/reconcile/report/of-currency.ts';
import { renderReport } from '../../../src/reconcile/report/render.ts';
import type { PrintedReport } from '../../../src/reconcile/report/shown.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { printBytes, writeText } from '../../show/output.ts';
import { withSink, writeFileOf } from '../../show/sink.ts';
import type { Paper } from './options.ts';
import { writeScreen } from './screen.ts';

/** Writes a report in its format, to stdout, to a file, or to one file per currency. */
export async function writeReport(
  archive: Archive,
  shown: PrintedReport,
  { format, out, isSplit }: Paper,
): Promise<void> {
  const parts: readonly (readonly [PrintedReport, string | undefined])[] =
    isSplit && out !== undefined
      ? currenciesOf(shown.report).map((currency) => [ofCurrency(shown, currency), withCurrency(out, currency)])
      : [[shown, out]];
  for (const [part, path] of parts) {
    if (format === 'table') {
      await withSink(path, (sink) => writeScreen(part, sink));
      continue;
    }
    const bytes = await renderReport(archive, part, format);
    if (path !== undefined) await writeFileOf(path, bytes);
    else if (format === 'xlsx') await printBytes(bytes);
    else await writeText(bytes.toString());
  }
}

/** `month.xlsx` becomes `month-NGN.xlsx`; what has no currency is in `month-none.xlsx`. */
function withCurrency(path: string, currency: string | null): string {
  const [, name = path, ending = ''] = /^(.*?[^/])(\.[^./]*)?$/.exec(path) ?? [];
  return `${name}-${currency ?? 'none'}${ending}`;
}
