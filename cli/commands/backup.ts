import { storeOf } from '../../src/store/configured-store.ts';
import { configFrom } from '../context/config.ts';
import { stopAtOnce } from '../context/stop-signal.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { copyProgress } from '../show/copy-progress.ts';
import { print, printJson } from '../show/output.ts';
import { byteCount, duration, isoTime, time } from '../show/text.ts';

/** `tallyhook backup FILE`: copies the database while it is in use, and checks the copy. */
export function addBackupCommand(cli: Cli): Cli {
  return cli.command(
    'backup <file>',
    SUMMARY.backup,
    (command) =>
      command
        .positional('file', { type: 'string', demandOption: true, describe: 'The copy, with mode 0600' })
        .option('force', { type: 'boolean', default: false, describe: 'Replace an existing file' })
        .example('$0 backup /backups/tallyhook-2026-11-20.db', 'Put it on another disk, and try `restore` once'),
    async (argv) => {
      const { upkeep } = storeOf(await configFrom(argv));
      const startMs = performance.now();
      const [stop, progress] = [stopAtOnce(), copyProgress()];
      const made = upkeep.backUp(argv.file, argv, { ...stop, ...progress }).finally(() => {
        progress.end();
        stop.dispose();
      });
      const { file, bytes, events, lastReceivedAtMs, schemaVersion } = await made;
      const tookMs = Math.round(performance.now() - startMs);
      if (argv.json) {
        printJson({ file, bytes, events, lastReceivedAt: isoTime(lastReceivedAtMs), schemaVersion, tookMs });
        return;
      }
      print(`${file}: ${byteCount(bytes)}, ${events} events until ${time(lastReceivedAtMs)}, in ${duration(tookMs)}`);
    },
  );
}
