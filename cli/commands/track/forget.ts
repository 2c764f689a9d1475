import { TallyhookError } from '../../../src/domain/error.ts';
import { RECORD_KINDS } from '../../../src/domain/lifecycle.ts';
import { openTrackingStore } from '../../../src/store/open.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { COMMON_FILTERS } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { expectationJson, expectationText } from '../../show/expectation.ts';
import { print, printJson } from '../../show/output.ts';

/** `tallyhook track forget REFERENCE`: expects nothing of it any more. */
export function addTrackForgetCommand(cli: Cli): Cli {
  return cli.command(
    'forget <reference>',
    'Expect nothing of a reference any more',
    (command) =>
      command
        .positional('reference', { type: 'string', demandOption: true, describe: 'What was tracked' })
        .option('environment', COMMON_FILTERS.environment)
        .option('kind', { choices: RECORD_KINDS, describe: 'Only of this kind' })
        .example('$0 track forget P-1', 'In every kind and environment')
        .epilogue('What anybody has said about it stays; a record that nobody has said anything about goes.'),
    async (argv) => {
      const config = configFrom(argv);
      const { reference, kind, environment } = argv;
      const { tracking, close } = openTrackingStore(config.database, systemClock);
      try {
        const forgotten = await tracking.forget({
          reference,
          ...(kind !== undefined && { kind }),
          ...(environment !== undefined && { environment }),
          nowMs: systemClock.nowMs(),
        });
        if (forgotten.length === 0) {
          throw new TallyhookError(`${JSON.stringify(reference)} is not tracked.`, {
            kind: 'not_found',
            hint: 'List what is: tallyhook track list',
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
            const rest = one.recordRemoved ? '; nobody had said anything about it' : '';
            print(`${one.kind} ${reference} (${one.environment}) forgotten: ${expectationText(one)}${rest}`);
          }
        }
      } finally {
        close();
      }
    },
  );
}
