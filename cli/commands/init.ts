import { join, resolve } from 'node:path';
import { CONFIG_FILE_NAME } from '../../src/config/locate.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { printJson } from '../show/output.ts';
import { configText, environmentText, makeFolder, refuseExisting, writeNew } from './init/files.ts';
import { ignoreInGit } from './init/git.ts';
import { collectKeys, type InitKeys, KEY_PROMPTS } from './init/keys.ts';
import { reportWritten } from './init/report.ts';

/** `tallyhook init`: writes tallyhook.yaml and .env, checks the keys, and writes what a server needs besides. */
export function addInitCommand(cli: Cli): Cli {
  return cli.command(
    'init',
    SUMMARY.init,
    (command) =>
      command
        .option('folder', {
          type: 'string',
          requiresArg: true,
          describe: 'Where to write them [., with --deploy systemd /etc/tallyhook]',
        })
        .option('deploy', {
          choices: DEPLOYMENTS,
          requiresArg: true,
          describe: 'Write what a server needs, too: units or an image, and a TLS proxy (docs/operations.md)',
        })
        .option('public-url', {
          type: 'string',
          requiresArg: true,
          describe: 'With --deploy: https:// address of this server',
        })
        .option('receivers', {
          type: 'string',
          requiresArg: true,
          describe:
            'With --deploy: receivers of the other machines that share the log, such as 10.0.0.12:4600,10.0.0.13:4600',
        })
        .option('database-group', {
          type: 'string',
          requiresArg: true,
          describe: 'With --deploy systemd: group whose members read and write the database, such as finance',
        })
        .option('test-public-key', { type: 'string', requiresArg: true, describe: 'pk_test_…' })
        .option('test-secret-key', { type: 'string', requiresArg: true, describe: 'sk_test_…, better as a variable' })
        .option('live-public-key', { type: 'string', requiresArg: true, describe: 'pk_live_…' })
        .option('live-secret-key', { type: 'string', requiresArg: true, describe: 'sk_live_…, better as a variable' })
        .option('yes', { type: 'boolean', default: false, describe: 'Do not prompt' })
        .option('force', { type: 'boolean', default: false, describe: 'Replace files that exist' })
        .example('$0 init', 'Prompts for the keys; secrets are not shown while you type')
        .example('$0 init --yes', 'Takes the keys from TALLYHOOK_TEST_PUBLIC_KEY and so on, if they are set')
        .example('$0 init --deploy systemd --public-url https://hooks.example.com', 'As root, on a server'),
    async (argv) => {
      const promptForKeys = () => keysOf(argv);
      if (argv.deploy !== undefined) {
        const { deploy } = await import('./init/deploy.ts');
        return deploy({ ...argv, kind: argv.deploy, collectKeys: promptForKeys });
      }
      for (const name of ['public-url', 'receivers', 'database-group'] as const)
        if (argv[name] !== undefined) throw new UsageError(`--${name} needs --deploy.`);
      const folder = resolve(argv.folder ?? '.');
      const files = { config: join(folder, CONFIG_FILE_NAME), environment: join(folder, '.env') };
      const { force } = argv;
      if (!force) refuseExisting(Object.values(files));
      const keys = await promptForKeys();
      makeFolder(folder);
      const ignored = ignoreInGit(folder);
      writeNew(
        [
          { path: files.environment, text: environmentText(keys), mode: 0o600 },
          { path: files.config, text: configText(folder), mode: 0o644 },
        ],
        { force },
      );
      const { loadConfig } = await import('../../src/config/load.ts');
      const config = loadConfig({ file: files.config, env: {}, cwd: folder });
      const written = [...Object.values(files), ...(ignored === null ? [] : [ignored])];
      const keyIds = config.keyPairs.map((pair) => pair.id);
      const environment = keys.testSecretKey === undefined && keys.liveSecretKey !== undefined ? 'live' : 'test';
      if (argv.json) printJson({ written, keyIds });
      else reportWritten(files, { ignored, keyIds, environment });
    },
  );
}

const DEPLOYMENTS = ['systemd', 'docker'] as const;

async function keysOf(argv: InitKeys & { readonly yes: boolean }): Promise<InitKeys> {
  const isTerminal = process.stdin.isTTY === true;
  const keys = await collectKeys(argv, { interactive: !argv.yes && isTerminal });
  if (Object.keys(keys).length > 0 || argv.yes || isTerminal) return keys;
  throw new UsageError(
    'There is no terminal to prompt for keys.',
    `Give them as ${KEY_PROMPTS.map(({ variable }) => variable).join(', ')}, as options, or --yes for none.`,
  );
}
