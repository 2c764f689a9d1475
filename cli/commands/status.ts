import { configFrom } from '../context/config.ts';
import { COMMON_FILTERS, SERVE_OPTION } from '../options/filters.ts';
import type { Cli } from '../options/options.ts';
import { lengthOption } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { differencesFound, print, printJson } from '../show/output.ts';
import { statusJson } from './status/json.ts';
import { lookNow } from './status/look-now.ts';
import { scrollOf, statusLines } from './status/screen.ts';
import { watch } from './status/watch.ts';

/** `tallyhook status`: whether everything is well, on one screen. Exit code 3 when something is not. */
export function addStatusCommand(cli: Cli): Cli {
  return cli.command(
    'status',
    SUMMARY.status,
    (command) =>
      command
        .option('environment', { ...COMMON_FILTERS.environment, alias: 'env' })
        .option('watch', { type: 'boolean', default: false, describe: 'Look again and again, until Ctrl-C' })
        .option(
          'every',
          lengthOption('every', {
            standard: '2s',
            describe: 'With --watch: the time between two looks',
            mayBeZero: false,
          }),
        )
        .options(SERVE_OPTION)
        .example('$0 status', 'The answer now, also while serve is down')
        .example('$0 status --watch --every 10s', 'A screen that stays open')
        .epilogue('With --watch, Ctrl-C ends with the exit code of the last look.'),
    async (argv) => {
      const config = await configFrom(argv);
      const order = { environment: argv.environment, expectServe: argv.serve };
      if (argv.watch) return watch({ config, order, everyMs: argv.every, json: argv.json === true });
      const seen = await lookNow(config, order);
      if (argv.json) printJson(statusJson(seen, config));
      else for (const line of statusLines(seen, config, scrollOf(process.stdout))) print(line);
      if (seen.problems.length > 0) differencesFound();
    },
  );
}
