import { jobColumns, jobViews, needsAttention } from '../../../src/lists/jobs.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { configFrom } from '../../context/config.ts';
import type { Cli } from '../../options/options.ts';
import { jobJson } from '../../show/job.ts';
import { printList, wholeList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound, note } from '../../show/output.ts';
import { isoTime, time } from '../../show/text.ts';

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
        besides: () => ({ asOf: isoTime(nowMs) }),
        columns: terminalColumns(jobColumns(config.schedule.timeZone, time)),
        empty: 'There are no jobs.',
      });
      for (const { job, remark } of argv.json ? [] : views) if (remark !== null) note(`${job}: ${remark}`);
      if (views.some(needsAttention)) differencesFound();
    },
  );
}
