import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';

/** `tallyhook serve`: runs the receiver and the admin listener until a signal. */
export function addServeCommand(cli: Cli): Cli {
  return cli.command(
    'serve',
    SUMMARY.serve,
    (command) =>
      command
        .option('capture-failed', {
          type: 'string',
          requiresArg: true,
          describe: 'Folder for deliveries whose signature failed, for `tallyhook verify` (capped)',
        })
        .option('unsafe-file-system', {
          type: 'boolean',
          default: false,
          describe: 'Start also on a network or overlay file system, which can lose what was acknowledged',
        })
        .option('roles', {
          type: 'string',
          requiresArg: true,
          describe: 'What this machine of several does: receive, work, or receive,work [cluster.roles]',
        })
        .example('$0 serve', 'With ./tallyhook.yaml, or environment variables alone')
        .example('$0 serve --roles receive', 'On a machine of several without a database: webhooks alone')
        .epilogue('SIGTERM and SIGINT stop it gracefully, a second one stops it at once; SIGHUP reloads the keys.'),
    async (argv) => (await import('./serve/run.ts')).serve(argv),
  );
}
