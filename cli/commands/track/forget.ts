import { storeOf } from '../../../src/confirm/store.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { RECORD_KINDS } from '../../../src/domain/lifecycle.ts';
import { configFrom } from '../../context/config.ts';
import { COMMON_FILTERS } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { expectationJson, expectationText } from '../../show/expectation.ts';
import { print, printJson } from '../../show/output.ts';

/** `tallyhook track forget REFERENCE`: removes the expectation of a reference. */
export function addTrackForgetCommand(cli: Cli): Cli {
  return cli.command(
    'forget <reference>',
    'Remove the expectation of a reference',
    (command) =>
      command
        .positional('reference', { type: 'string', demandOption: true, describe: 'Tracked reference' })
        .option('environment', COMMON_FILTERS.environment)
        .option('kind', { choices: RECORD_KINDS, describe: 'Only of this kind' })
        .example('$0 track forget P-1', 'In every kind and environment')
        .epilogue('A record with a claim stays; a record without any claim is removed.'),
    async (argv) => {
      const config = await configFrom(argv);
      const { reference, kind, environment } = argv;
      const operations = await storeOf(config).operations({ create: true });
      try {
        const forgotten = await operations.tracking.forget({
          reference,
          ...(kind !== undefined && { kind }),
          ...(environment !== undefined && { environment }),
        });
        if (forgotten.length === 0) {
          throw new TallyhookError(`${JSON.stringify(reference)} is not tracked.`, {
            kind: 'not_found',
            hint: 'List the tracked references: tallyhook track list',
          });
        }
        if (argv.json) {
          printJson(
            forgotten.map(({ recordRemoved, ...one }) => ({
              kind: one.kind,
              environment: one.environment,
              reference: one.reference,
              ...expectationJson(one),
              recordRemoved,
            })),
          );
        } else {
          for (const one of forgotten) {
            const rest = one.recordRemoved ? '; its record had no claim and is removed' : '';
            print(`${one.kind} ${reference} (${one.environment}) forgotten: ${expectationText(one)}${rest}`);
          }
        }
      } finally {
        await operations.close();
      }
    },
  );
}
