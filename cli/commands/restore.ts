import { existsSync } from 'node:fs';
import { storeOf } from '../../src/store/configured-store.ts';
import type { LogGap, RestorePlan } from '../../src/store/upkeep.ts';
import { configFrom } from '../context/config.ts';
import { stopAtOnce } from '../context/stop-signal.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { copyProgress } from '../show/copy-progress.ts';
import { note, print, printJson } from '../show/output.ts';
import { isoTime, time } from '../show/text.ts';

/** `tallyhook restore FILE --yes`: puts a backup in the place of the database, and keeps that one beside it. */
export function addRestoreCommand(cli: Cli): Cli {
  return cli.command(
    'restore <file>',
    SUMMARY.restore,
    (command) =>
      command
        .positional('file', { type: 'string', demandOption: true, describe: 'A backup made by `tallyhook backup`' })
        .option('discard-log', {
          type: 'boolean',
          default: false,
          describe: 'Set the log aside too: what it holds is not carried out into the restored database',
        })
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; without it, only show the plan' })
        .example('$0 restore /backups/tallyhook-2026-11-20.db', 'Check the backup, and change nothing')
        .example('$0 restore /backups/tallyhook-2026-11-20.db --yes', 'With `serve` stopped'),
    async (argv) => {
      if (!existsSync(argv.file)) {
        throw new UsageError(
          `There is no backup at ${argv.file}; nothing was changed.`,
          'Give a backup made by `tallyhook backup`.',
        );
      }
      const { upkeep } = storeOf(await configFrom(argv));
      const [stop, progress] = [stopAtOnce(), copyProgress()];
      const watch = { ...stop, ...progress };
      const options = { discardLog: argv.discardLog };
      const work = argv.yes ? upkeep.restore(argv.file, options, watch) : upkeep.planRestore(argv.file, options, watch);
      const plan = await work.finally(() => {
        progress.end();
        stop.dispose();
      });
      if (argv.json) printJson(asJson(plan, argv.yes));
      else printPlan(plan, argv.yes);
      if (!argv.yes) throw new UsageError('Nothing was done.', 'Stop `tallyhook serve`, then run it again with --yes.');
    },
  );
}

function printPlan({ backup, database, setAside, log, contents }: RestorePlan, done: boolean): void {
  const will = done ? '' : 'would be ';
  print(`${backup}: ${contents.events} events until ${time(contents.lastReceivedAtMs)}, undamaged`);
  if (setAside !== null) print(`${database} ${will}set aside as ${setAside}`);
  print(`${backup} ${will}copied to ${database}`);
  if (log.missing !== null)
    note(`${lacked(log.missing)} Ask the service for them: tallyhook backfill, tallyhook sweep`);
  if (log.carriedFrom !== null) note(besideLog(log.carriedFrom));
  if (log.deliveries === 0) return;
  const what = log.discarded
    ? `${will}set aside with the log, and carried out nowhere`
    : 'are carried out into it by the next start';
  const held =
    log.deliveries === null ? 'the log is damaged: what it holds' : `${log.deliveries} deliveries of the log`;
  print(`${held} ${what}`);
}

function lacked({ from, to }: LogGap): string {
  if (to !== null)
    return `The log no longer has entries ${from} to ${to}: deliveries in them are not carried out again.`;
  const text = 'The backup is of a machine of a cluster; restored, it is of this machine alone.';
  return `${text} Deliveries in the log of that cluster from entry ${from} on are not carried out.`;
}

function besideLog(from: number): string {
  const text = `The backup holds entries that the log lost: the deliveries of the log are carried out from its oldest entry, ${from}, on. Those that the backup has are duplicates.`;
  if (from === 1) return text;
  return `${text} What the backup lacks of entries 1 to ${from - 1}, the log no longer has. Ask the service for it: tallyhook backfill, tallyhook sweep`;
}

function asJson({ backup, database, setAside, log, contents }: RestorePlan, done: boolean): object {
  const { events, lastReceivedAtMs, schemaVersion } = contents;
  return { done, backup, database, setAside, log, events, lastReceivedAt: isoTime(lastReceivedAtMs), schemaVersion };
}
