import type { Config } from '../../../src/config/load.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { RECORD_KINDS, type RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import type { Forgotten, Tracking } from '../../../src/store/tracking.ts';
import { configFrom } from '../../context/config.ts';
import { stopSignal } from '../../context/stop-signal.ts';
import { COMMON_FILTERS } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { calendarOf, comingTime } from '../../options/when.ts';
import { expectationJson, expectationText } from '../../show/expectation.ts';
import { answeredNo, note, print, printJson } from '../../show/output.ts';
import { progressBar } from '../../show/progress.ts';

/** References from which a progress bar is drawn. */
const PROGRESS_ROWS = 1_000;

/** `tallyhook track forget REFERENCE`, or `FILE.csv`: removes the expectation of one reference, or of many. */
export function addTrackForgetCommand(cli: Cli): Cli {
  return cli.command(
    'forget <what>',
    'Remove the expectation of a reference, or those of a CSV file',
    (command) =>
      command
        .positional('what', { type: 'string', demandOption: true, describe: 'Tracked reference, or FILE.csv' })
        .option('environment', COMMON_FILTERS.environment)
        .option('kind', { choices: RECORD_KINDS, describe: 'Only of this kind' })
        .example('$0 track forget P-1', 'In every kind and environment')
        .example('$0 track forget expected.csv --environment test', 'Those that were tracked in the wrong one')
        .epilogue('A record with an observation stays; a record without any is removed.'),
    async (argv) => {
      const config = await configFrom(argv);
      const isFile = /\.csv$/i.test(argv.what);
      const references = isFile ? await referencesIn(argv.what, config) : [argv.what];
      const operations = await storeOf(config).operations({ create: true });
      try {
        const { forgotten, missing } = await forgetAll(references, argv, operations.tracking);
        if (forgotten.length === 0) {
          const what = isFile
            ? `None of the ${references.length} references of ${argv.what}`
            : JSON.stringify(argv.what);
          throw new TallyhookError(`${what} is ${isFile ? '' : 'not '}tracked.`, {
            kind: 'not_found',
            hint: 'List the tracked references: tallyhook track list',
          });
        }
        if (argv.json) printJson(forgotten.map(forgottenJson));
        else if (isFile) print(`${forgotten.length} expectations forgotten${counted(forgotten)}`);
        else for (const one of forgotten) print(forgottenText(one));
        if (missing > 0) note(`${missing} of ${references.length} references were not tracked.`);
      } finally {
        await operations.close();
      }
    },
  );
}

async function referencesIn(file: string, config: Config): Promise<string[]> {
  const { readReferences } = await import('./file.ts');
  return readReferences(file, comingTime(calendarOf(config)));
}

interface Filter {
  readonly kind: RecordKind | undefined;
  readonly environment: Environment | undefined;
}

async function forgetAll(
  references: readonly string[],
  { kind, environment }: Filter,
  tracking: Pick<Tracking, 'forget'>,
) {
  const stop = stopSignal('the references that are left stay tracked');
  const progress = progressBar(references.length > PROGRESS_ROWS ? references.length : 0, 'forgotten');
  const forgotten: Forgotten[] = [];
  let missing = 0;
  try {
    for (const [index, reference] of references.entries()) {
      if (stop.signal.aborted) {
        answeredNo();
        break;
      }
      const filter = { ...(kind !== undefined && { kind }), ...(environment !== undefined && { environment }) };
      const found = await tracking.forget({ reference, ...filter });
      if (found.length === 0) missing++;
      forgotten.push(...found);
      progress.step(index + 1);
    }
  } finally {
    progress.end();
    stop.dispose();
  }
  return { forgotten, missing };
}

/** `: 90 in live, 6 in test` */
function counted(forgotten: readonly Forgotten[]): string {
  const groups = Map.groupBy(forgotten, ({ environment }) => environment);
  return `: ${[...groups].map(([environment, group]) => `${group.length} in ${environment}`).join(', ')}`;
}

function forgottenText(one: Forgotten): string {
  const rest = one.recordRemoved ? '; its record had no observation and is removed' : '';
  return `${one.kind} ${one.reference} (${one.environment}) forgotten: ${expectationText(one)}${rest}`;
}

function forgottenJson({ kind, environment, reference, recordRemoved, ...one }: Forgotten) {
  return { kind, environment, reference, ...expectationJson(one), recordRemoved };
}
