import { type Cli, wholeNumberOption } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';

/** `tallyhook listen`: shows each webhook, and hands it on to an application on this machine, without a configuration. */
export function addListenCommand(cli: Cli): Cli {
  return cli.command(
    'listen',
    SUMMARY.listen,
    (command) =>
      command
        .option('forward-to', {
          type: 'string',
          requiresArg: true,
          describe: 'Your application: a URL, localhost:3000/hook, or a port',
        })
        .option('events', {
          type: 'string',
          requiresArg: true,
          describe: 'Hand on these alone: names separated by commas, * for any letters',
        })
        .option('when', {
          choices: ['both', 'received', 'confirmed'] as const,
          default: 'both' as const,
          describe: 'Hand a webhook on at once, when it is confirmed, or both',
        })
        .option('print-body', { type: 'boolean', default: false, describe: 'Also print the body of each webhook' })
        .option('host', { type: 'string', requiresArg: true, default: '127.0.0.1', describe: 'Address to listen on' })
        .option(
          'port',
          wholeNumberOption('port', {
            most: 65_535,
            standard: 4600,
            describe: 'Port of the webhook URL; 0: a free one',
          }),
        )
        .option('database', {
          type: 'string',
          requiresArg: true,
          describe: 'Keep the events in this file [a temporary one, removed at the end]',
        })
        .example('$0 listen --forward-to localhost:3000/hook', 'A sandbox, its webhooks, and your application')
        .example("$0 listen --forward-to 3000 --events 'refund.*' --when confirmed", 'What is confirmed of refunds')
        .epilogue(
          'Ignores tallyhook.yaml. Keys: TALLYHOOK_TEST_PUBLIC_KEY and the like; else those of a running sandbox, else of one that it starts. Ctrl-C stops.',
        ),
    async (argv) => (await import('./listen/run.ts')).listen(argv),
  );
}
