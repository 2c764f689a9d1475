import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { configFrom } from '../../context/config.ts';
import type { Cli } from '../../options/options.ts';
import { type JobView, jobJson, jobViews, needsAttention, tookMs } from '../../show/job.ts';
import { printList, wholeList } from '../../show/list.ts';
import { type Column, differencesFound, note } from '../../show/output.ts';
import { duration, localTime, time, timeHeader, timeInColumn } from '../../show/text.ts';

/** `tallyhook schedule list`: lists every job with its next and latest run. */
export function addScheduleListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List the jobs: next run, latest run, and the process that runs each now',
    (command) =>
      command
        .example('$0 schedule list', 'All jobs')
        .epilogue('Exit code 3 when a job is overdue, or its latest run failed or was lost.'),
    async (argv) => {
      const config = await configFrom(argv);
      const nowMs = systemClock.nowMs();
      const views = jobViews(config, await withArchive(argv, (archive) => archive.jobs()), nowMs);
      await printList(wholeList(views), argv, {
        json: jobJson,
        columns: columns(config.schedule.timeZone),
        empty: 'There are no jobs.',
      });
      for (const { job, remark } of argv.json ? [] : views) if (remark !== null) note(`${job}: ${remark}`);
      if (views.some(needsAttention)) differencesFound();
    },
  );
}

function columns(zone: string): Column<JobView>[] {
  const inZone = localTime(zone);
  const next = ({ state }: JobView) => state?.nextRunAtMs ?? null;
  return [
    { header: 'JOB', value: ({ job }) => job },
    { header: 'SCHEDULE', value: ({ schedule }) => schedule },
    { header: `NEXT (${zone})`, value: (view) => minuteOf(inZone, next(view)) },
    { ...timeHeader('LAST'), value: ({ state }) => timeInColumn(state?.last?.startedAtMs ?? null) },
    { header: 'OUTCOME', value: ({ state }) => state?.last?.outcome ?? null },
    { header: 'TOOK', value: took, leaveOut: 2 },
    { header: 'DETAIL', value: ({ state }) => state?.last?.detail ?? null, wraps: true, leaveOut: 1 },
    { header: 'RUNNING', value: running, leaveOut: 3 },
  ];
}

/** Local time without seconds, because cron expressions have none. */
function minuteOf(inZone: (ms: number) => string, atMs: number | null): string | null {
  return atMs === null ? null : inZone(atMs).slice(0, -3);
}

function took({ state }: JobView): string | null {
  const lengthMs = state?.last ? tookMs(state.last) : null;
  return lengthMs === null ? null : duration(lengthMs);
}

function running({ state }: JobView): string | null {
  if (!state?.held) return null;
  const { holder, sinceMs } = state.held;
  return `${holder}, since ${time(sinceMs)}`;
}
