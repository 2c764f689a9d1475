import type { Config } from '../../../src/config/load.ts';
import { track } from '../../../src/confirm/tracking.ts';
import { ENVIRONMENTS, type Environment } from '../../../src/domain/environment.ts';
import type { Expected } from '../../../src/domain/expectations/expectation-input.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { type Calendar, calendarOf, comingTime, comingTimeFrom } from '../../options/when.ts';
import { expectedFrom } from '../../show/expectation.ts';
import { differencesFound, printJson } from '../../show/output.ts';
import { progressBar } from '../../show/progress.ts';
import { refuseFileName } from './file-name.ts';
import { TrackOutcome } from './outcome.ts';

/** Rows from which a progress bar is drawn: fewer are tracked in less than a second. */
const PROGRESS_ROWS = 1_000;
const text = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;

/** `tallyhook track payout P-1 --amount 1500.50 --currency NGN`, or a CSV file of many: tracks references. */
export function addTrackKindCommand(cli: Cli, kind: RecordKind): Cli {
  return cli.command(
    `${kind} <what>`,
    `Expect one ${kind}, or those of a CSV file`,
    (command) =>
      command
        .positional('what', { type: 'string', demandOption: true, describe: 'Reference, or FILE.csv' })
        .options({
          environment: { choices: ENVIRONMENTS, describe: 'Its environment [the only one with keys]' },
          amount: text('Expected amount, such as 1500.50'),
          currency: text('Expected currency, such as NGN'),
          due: text('Time by which it must be seen: a date or time in timeZone, or 7d from now'),
        })
        .example(`$0 track ${kind} P-1 --amount 1500.50 --currency NGN --due 2026-11-30`, `Expect one ${kind}`)
        .example(`$0 track ${kind} expected.csv --environment live`, 'Columns reference, amount, currency, due')
        .epilogue('Run again with other values, it replaces them. Exit code 3 when one of them has a finding.'),
    async (argv) => {
      const config = await configFrom(argv);
      const environment = argv.environment ?? onlyEnvironment(config);
      const expected = await expectedOf(kind, { ...argv, environment }, calendarOf(config));
      const operations = await storeOf(config).operations({ create: true });
      const progress = progressBar(expected.length > PROGRESS_ROWS ? expected.length : 0, 'tracked');
      const outcome = new TrackOutcome();
      try {
        for await (const one of track(expected, operations.tracking)) progress.step(outcome.add(one));
      } finally {
        progress.end();
        await operations.close();
      }
      if (argv.json) printJson(outcome.json());
      else outcome.print(kind, environment);
      if (outcome.found > 0) differencesFound();
    },
  );
}

/** The one environment with keys. @throws UsageError when both have some, or none has: an expectation in the wrong one is a false finding */
function onlyEnvironment({ keyPairs }: Config): Environment {
  const [only, ...others] = ENVIRONMENTS.filter((one) => keyPairs.some(({ environment }) => environment === one));
  if (only !== undefined && others.length === 0) return only;
  const seen = only === undefined ? 'no environment has keys' : 'test and live both have keys';
  throw new UsageError(
    `Which environment? ${seen[0]?.toUpperCase()}${seen.slice(1)}.`,
    'Add --environment test or --environment live.',
  );
}

interface TrackArguments {
  readonly what: string;
  readonly environment: Environment;
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  readonly due: string | undefined;
}

async function expectedOf(
  kind: RecordKind,
  { what, environment, ...values }: TrackArguments,
  calendar: Calendar,
): Promise<readonly Expected[]> {
  const facts = { kind, environment };
  if (!/\.csv$/i.test(what)) {
    refuseFileName(what);
    const { amount = '', currency = '', due = '' } = values;
    return [expectedFrom({ reference: what, amount, currency, due }, facts, comingTimeFrom(calendar))];
  }
  const option = (['amount', 'currency', 'due'] as const).find((name) => values[name] !== undefined);
  if (option !== undefined)
    throw new UsageError(`--${option} does not apply to a file: its rows have their own values.`);
  const { readExpectations } = await import('./file.ts');
  return readExpectations(what, facts, comingTime(calendar));
}
