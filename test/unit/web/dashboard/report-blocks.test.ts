import { expect, test } from 'vitest';
import { figures, restsOn } from '../../../../src/reconcile/report/tables/chapters.ts';
import { pageHtml } from '../../../../src/web/dashboard/render.ts';
import { reportBlocks } from '../../../../src/web/dashboard/report-blocks.ts';
import { FILLED_REPORT, FILLED_SIGN_OFF } from '../../../support/filled-report.ts';

/** The same report with each of its lists so many times as long; what names a row differs. */
function grown<Of>(value: Of, times: number, name = ''): Of {
  if (Array.isArray(value)) {
    const all = Array.from({ length: times }, (_, at) => value.map((one) => grown(one, 1, at === 0 ? name : `-${at}`)));
    return all.flat() as Of;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, one]) => {
    const isName = typeof one === 'string' && ['account', 'reference', 'key'].includes(key);
    return [key, isName ? `${one}${name}` : grown(one, times, name)];
  });
  return Object.fromEntries(fields) as Of;
}

test.each([1, 20, 100])('the page of a report whose lists are %i times as long stays below 150 kB', (times) => {
  const report = grown(FILLED_REPORT, times);
  const blocks = reportBlocks([...figures(report, FILLED_SIGN_OFF), ...restsOn(report, FILLED_SIGN_OFF)]);
  const html = pageHtml(
    { title: 'Report', question: 'What was frozen?', commands: [], blocks },
    {
      ...{ visitor: null, token: '', path: '/reports/live/2026-10', zone: 'UTC', nowMs: 0 },
      own: { style: 'style', script: 'script', icon: 'icon' },
    },
  );
  // The frame, the navigation and the facts above the chapters take the rest.
  expect(Buffer.byteLength(html)).toBeLessThan(139_500);
  expect(html.includes('the files of the report have all.')).toBe(times > 1);
});
