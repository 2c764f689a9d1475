import { storeOf } from '../../src/store/configured-store.ts';
import type { MigrateProgress } from '../../src/store/upkeep.ts';
import { configFrom } from '../context/config.ts';
import { stopAtOnce } from '../context/stop-signal.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { print, printJson } from '../show/output.ts';
import { type Progress, progressBar } from '../show/progress.ts';

/** `tallyhook migrate`: brings the schema up to date, as `serve` does at its start. */
export function addMigrateCommand(cli: Cli): Cli {
  return cli.command(
    'migrate',
    SUMMARY.migrate,
    (command) => command.example('$0 migrate', 'After an upgrade, before the other commands are used'),
    async (argv) => {
      const config = await configFrom(argv);
      const { database } = config;
      const stop = stopAtOnce();
      let progress: Progress | undefined;
      const onProgress = ({ name, applied, total }: MigrateProgress) => {
        progress ??= progressBar(total, 'migrations applied');
        progress.step(applied, name);
      };
      const migrated = storeOf(config).upkeep.migrate({ ...stop, onProgress });
      const { schemaVersion, applied } = await migrated.finally(() => {
        progress?.end();
        stop.dispose();
      });
      if (argv.json) return printJson({ database, schemaVersion, applied });
      for (const { version, name } of applied) print(`applied ${version} ${name}`);
      print(`${database} has schema ${schemaVersion}${applied.length === 0 ? ', as before' : ''}`);
    },
  );
}
