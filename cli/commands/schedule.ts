import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addScheduleListCommand } from './schedule/list.ts';
import { addScheduleRunCommand } from './schedule/run.ts';

/** `tallyhook schedule …`: the jobs that serve runs on a schedule. */
export function addScheduleCommand(cli: Cli): Cli {
  return cli.command('schedule', SUMMARY.schedule, (schedule) => {
    for (const add of [addScheduleListCommand, addScheduleRunCommand]) add(schedule);
    return schedule.demandCommand(1, 'Which command of schedule?');
  });
}
