import { type Cli, UsageError, wholeNumberOption } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';

const KEPT_FOLDER = './data/demo';

/** `tallyhook demo`: plays a day at its own sandbox, then compares the receiver with the sandbox's books. */
export function addDemoCommand(cli: Cli): Cli {
  return cli.command(
    'demo',
    SUMMARY.demo,
    (command) =>
      command
        .option('keep', {
          type: 'boolean',
          default: false,
          describe: `Keep the receiver and the dashboard running, with their data in ${KEPT_FOLDER}`,
        })
        .option(
          'seed',
          wholeNumberOption('seed', { most: 2 ** 32 - 1, standard: 1, describe: 'Keys and references of the sandbox' }),
        )
        .option(
          'machines',
          wholeNumberOption('machines', {
            least: 1,
            most: 9,
            standard: 1,
            describe: 'In a clone: so many machines share one log in PostgreSQL, and one is killed in the middle',
          }),
        )
        .example('$0 demo --machines 3', 'Three machines, one of them killed: their databases are compared row by row')
        .example('$0 demo', 'In a temporary folder, removed at the end; the page data/demo-report.html stays')
        .example('$0 demo --keep', 'Then look around: in the dashboard, by the link that it prints')
        .epilogue('Ignores tallyhook.yaml and the environment. Exit code 1 when a count or break has no explanation.'),
    async (argv) => {
      if (argv.machines === 1)
        return (await import('./demo/run.ts')).runDemo({ ...argv, folder: argv.keep ? KEPT_FOLDER : null });
      if (argv.keep)
        throw new UsageError('--keep is for one machine: with --machines all of it is removed at the end.');
      await (await import('./demo/machines.ts')).runMachinesDemo(argv);
    },
  );
}
