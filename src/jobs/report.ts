import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mailSender } from '../alert/mail.ts';
import { TallyhookError } from '../domain/error.ts';
import { periodOf } from '../domain/periods/period.ts';
import { isStale } from '../domain/periods/stale.ts';
import { businessDays, dayPlus } from '../domain/reconciling/business-day.ts';
import type { PeriodOrder } from '../reconcile/closing/facts.ts';
import { periodSets, usedSets } from '../reconcile/closing/sets.ts';
import { renderReport } from '../reconcile/report/render.ts';
import { periodReport } from '../reconcile/report/shown.ts';
import { writeWholeFile } from '../reconcile/report/whole-file.ts';
import type { Archive } from '../store/archive.ts';
import { storeOf } from '../store/configured-store.ts';
import type { Job, JobParts } from './job.ts';
import { runReconciliation } from './reconcile-run.ts';
import { reportFileName } from './report-files.ts';

/**
 * Reports the last whole month of every set of accounts that has statements, into `reports.folder`, by mail, or both. A month that is open is
 * reconciled again where something new is known of it; a closed one stays as it was frozen. What lies in the folder already,
 * byte for byte, is neither written nor mailed again.
 */
export const reportBySchedule: Job = async (parts) => {
  const { config, clock, signal } = parts;
  if (config.reports.folder === null && config.reports.mail === null) {
    const hint =
      'Set reports.folder, or write one yourself: tallyhook report month 2026-10 --format html --out october.html';
    throw new TallyhookError('No folder and no mail address for scheduled reports is set.', {
      ...{ kind: 'configuration', hint },
    });
  }
  const archive = await storeOf(config, { clock }).archive();
  try {
    const sets = await usedSets(periodSets(config.periods.sets), archive);
    const [done, open]: [string[], string[]] = [[], []];
    for (const set of sets) {
      if (signal.aborted)
        return { outcome: 'stopped', detail: `cut short: ${done.length} of ${sets.length} sets done` };
      const order = lastMonth(parts, set);
      await reconcileWhereNeeded(parts, archive, order);
      const { files, isOpen } = await changedFiles(parts, archive, order);
      await handOver(parts, order, files);
      done.push(
        `${order.period.name} of ${set.name}: ${files.length === 0 ? 'as before' : files.map(({ name }) => name).join(', ')}`,
      );
      if (isOpen) open.push(set.name);
    }
    const detail = done.length === 0 ? 'no set of accounts has statements' : done.join('; ');
    return { outcome: open.length > 0 ? 'found' : 'done', detail, counts: { sets: sets.length } };
  } finally {
    await archive.close();
  }
};

function lastMonth({ config, clock }: JobParts, set: PeriodOrder['set']): PeriodOrder {
  const dayRule = { zone: config.timeZone, cutOffMinutes: config.reconcile.cutOffMinutes };
  const today = businessDays(dayRule).dayOf(clock.nowMs());
  const name = dayPlus(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
  const period = periodOf(name);
  if (period === null) throw new Error(`${name} is no month.`);
  return { set, period, dayRule };
}

/** An open month needs a run of its days that knows what is known now. */
async function reconcileWhereNeeded(parts: JobParts, archive: Archive, order: PeriodOrder): Promise<void> {
  const { set, period, dayRule } = order;
  const { environment, accounts } = set;
  const kept = await archive.period(set.name, period.name);
  if (kept !== null && kept.state !== 'open') return;
  const run = await archive.runOfDays({ environment, from: period.from, to: period.to, ...dayRule });
  const beforeMs = businessDays(dayRule).startOf(dayPlus(period.to, 1));
  const hasBreaks = run !== null && ((await archive.countBreaks({ run: run.run })) ?? run.breaks) >= run.breaks;
  if (hasBreaks && !isStale((await archive.newsSince({ run: run.run, environment, accounts, beforeMs })).news)) return;
  await runReconciliation(parts, { from: period.from, to: period.to });
}

interface ReportFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The report in its forms, without those that lie in the folder as they are. */
async function changedFiles({ config }: JobParts, archive: Archive, order: PeriodOrder) {
  const { folder, formats } = config.reports;
  const kept = await archive.period(order.set.name, order.period.name);
  if (kept !== null && kept.state !== 'open' && kept.closings.at(-1)?.erasedAtMs != null)
    return { files: [], isOpen: false }; // prune.reportsAfterDays is shorter than a month
  const shown = await periodReport(archive, order);
  const files: ReportFile[] = [];
  for (const format of new Set(formats)) {
    const name = reportFileName(order.period.name, order.set.name, format);
    const bytes = await renderReport(archive, shown, format);
    const before = folder === null ? null : await readFile(join(folder, name)).catch(() => null); // it may not be there yet
    if (before === null || !before.equals(bytes)) files.push({ name, bytes });
  }
  const { byCode, repeated } = shown.report.exceptions;
  return { files, isOpen: [...byCode, ...repeated].some(({ open }) => open > 0) };
}

/** The mail comes first: what was not mailed is not in the folder, and is tried again. */
async function handOver({ config, signal }: JobParts, order: PeriodOrder, files: readonly ReportFile[]): Promise<void> {
  const { folder, mail: to } = config.reports;
  const { mail } = config.alerts;
  if (files.length === 0) return;
  if (to !== null && mail !== null) {
    const title = `Report of ${order.period.name}, ${order.set.name}`;
    const text = `${title}, as of this morning's figures.\n\nMore: tallyhook report month ${order.period.name} --set ${order.set.name}`;
    await mailSender(mail)({ to, title, text, files }, signal);
  }
  if (folder === null) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { name, bytes } of files) await writeWholeFile(join(folder, name), bytes);
}
