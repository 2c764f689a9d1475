import { storeOf } from '../../../src/store/configured-store.ts';
import { StoreError } from '../../../src/store/error.ts';
import type { OpenOperations, Store } from '../../../src/store/store.ts';
import { configFrom } from '../../context/config.ts';
import { credential } from '../../context/operations.ts';
import { stopSignal } from '../../context/stop-signal.ts';
import type { Cli } from '../../options/options.ts';
import { PERSON_OPTIONS, starterOf } from '../../options/person.ts';
import { progressBar } from '../../show/progress.ts';
import { ImportOutcome } from './outcome.ts';

/** `tallyhook statements import FILE… --profile PROFILE`: imports files that one profile reads. */
export function addStatementsImportCommand(cli: Cli): Cli {
  return cli.command(
    'import <file..>',
    'Import statements; a file is imported whole or not at all, and once',
    (command) =>
      command
        .positional('file', { type: 'string', array: true, demandOption: true, describe: 'CSV or XLSX files' })
        .options({
          profile: {
            type: 'string',
            requiresArg: true,
            demandOption: true,
            describe: 'Path of the profile that reads them (propose one: statements profile FILE)',
          },
          'dry-run': { type: 'boolean', default: false, describe: 'Read and compare; write nothing' },
          as: PERSON_OPTIONS.as,
        })
        .example('$0 statements import october.csv --profile wallet.yaml --dry-run', 'What it would do')
        .example('$0 statements import 2026-*.csv --profile wallet.yaml', 'Several; files may overlap')
        .epilogue(
          'Exit code 3: a row could not be read, a file does not add up, or another file says otherwise. A file that is known already changes nothing.',
        ),
    async (argv) => {
      const by = starterOf(argv);
      const config = await configFrom(argv);
      const { loadProfile } = await import('../../../src/reconcile/profile/load.ts');
      const profile = loadProfile(argv.profile);
      const { importStatement, NOTHING_IMPORTED, previewImport } = await import(
        '../../../src/reconcile/import/import.ts'
      );
      const store = storeOf(config);
      const operations = argv.dryRun
        ? await existing(store)
        : await store.operations({ create: true, credential: credential() });
      const stop = stopSignal('the import ends, and nothing of this file shows');
      const outcome = new ImportOutcome(store, profile, argv);
      try {
        for (const path of argv.file) {
          if (stop.signal.aborted) break;
          const progress = progressBar(100, `% of ${path}`);
          const onProgress = (bytes: number, of: number, remark?: string) =>
            progress.step(Math.floor((100 * bytes) / Math.max(of, 1)), remark);
          const parts = { signal: stop.signal, onProgress };
          const order = { path, profile };
          const work = () =>
            operations === null || argv.dryRun
              ? previewImport(order, operations?.statements ?? NOTHING_IMPORTED, parts)
              : importStatement({ ...order, by }, operations.statements, parts);
          await outcome.add(path, () => work().finally(progress.end));
        }
        outcome.end();
      } finally {
        stop.dispose();
        await operations?.close();
      }
    },
  );
}

/** The operations of a database that is there; null without one, so that a preview makes none. */
async function existing(store: Store): Promise<OpenOperations | null> {
  try {
    return await store.operations({ credential: credential() });
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'no_database') return null;
    throw error;
  }
}
