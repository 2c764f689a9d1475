import type { Cli } from '../options/options.ts';
import { addScheduleListCommand } from './schedule/list.ts';
import { addScheduleRunCommand } from './schedule/run.ts';

/** `tallyhook schedule …`: what runs by itself, and when. */
export function addScheduleCommand(cli: Cli): Cli {
  return cli.command('schedule', 'What serve does by itself, and when', (schedule) => {
    for (const add of [addScheduleListCommand, addScheduleRunCommand]) add(schedule);
    return schedule.demandCommand(1, 'Which command of schedule?');
  });
}
