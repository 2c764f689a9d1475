import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFIG_FILE_NAME } from '../../src/config/locate.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { printJson } from '../show/output.ts';
import {
  asService,
  DEPLOY_FOLDER,
  DEPLOYED_NAMES,
  deploymentFiles,
  publicAddress,
  refuseHidden,
  thesePrograms,
} from './init/deploy.ts';
import { configText, environmentText, makeFolder, writeNew } from './init/files.ts';
import { collectKeys, KEY_PROMPTS } from './init/keys.ts';
import { reportDeployed, reportWritten } from './init/report.ts';

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
          describe: `Where to write them [., with --deploy ${DEPLOY_FOLDER}]`,
        })
        .option('deploy', {
          choices: ['systemd'] as const,
          requiresArg: true,
          describe: 'Write a unit for systemd and a proxy block for nginx, too (docs/operations.md)',
        })
        .option('public-url', {
          type: 'string',
          requiresArg: true,
          describe: 'With --deploy: https:// address of this server',
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
      const folder = resolve(argv.folder ?? (argv.deploy === undefined ? '.' : DEPLOY_FOLDER));
      const files = { config: join(folder, CONFIG_FILE_NAME), environment: join(folder, '.env') };
      const deployment = argv.deploy && {
        programs: thesePrograms(),
        file: files.config,
        address: publicAddress(argv.publicUrl),
      };
      if (deployment) refuseHidden(deployment.programs, folder);
      if (!argv.force) refuseExisting(folder, deployment ? ALL_NAMES : NAMES);
      const keys = await collectKeys(argv, { interactive: !argv.yes && process.stdin.isTTY === true });
      if (Object.keys(keys).length === 0 && !argv.yes && !process.stdin.isTTY) {
        throw new UsageError(
          'There is no terminal to prompt for keys.',
          `Give them as ${KEY_PROMPTS.map(({ variable }) => variable).join(', ')}, as options, or --yes for none.`,
        );
      }
      makeFolder(folder);
      // With --deploy a group reads both: that of the service, once the folder is given to it.
      if (deployment) chmodSync(folder, 0o750);
      const text = configText(folder);
      const { force } = argv;
      const own = [
        { path: files.environment, text: environmentText(keys), mode: deployment ? 0o640 : 0o600 },
        { path: files.config, text: deployment ? asService(text) : text, mode: deployment ? 0o640 : 0o644 },
      ];
      writeNew(own, { force });
      const { loadConfig } = await import('../../src/config/load.ts');
      const config = loadConfig({ file: files.config, env: {}, cwd: folder });
      const deployed = Object.entries(deployment ? deploymentFiles(config, deployment) : {}).map(([name, content]) => ({
        path: join(folder, name),
        text: content,
        mode: 0o644,
      }));
      try {
        writeNew(deployed, { force });
      } catch (error) {
        if (!force) for (const { path } of own) rmSync(path); // else the next run would find them
        throw error;
      }
      const written = [...Object.values(files), ...deployed.map(({ path }) => path)];

      const keyIds = config.keyPairs.map((pair) => pair.id);
      const environment = keys.testSecretKey === undefined && keys.liveSecretKey !== undefined ? 'live' : 'test';
      if (argv.json) printJson({ written, keyIds });
      else if (deployment) reportDeployed(written, keyIds, { folder, address: deployment.address, environment });
      else reportWritten(written, keyIds, environment);
    },
  );
}

const NAMES = [CONFIG_FILE_NAME, '.env'];
const ALL_NAMES = [...NAMES, ...DEPLOYED_NAMES];

function refuseExisting(folder: string, names: readonly string[]): void {
  const existing = names.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (existing.length === 0) return;
  throw new TallyhookError(
    `${existing.join(' and ')} exist${existing.length === 1 ? 's' : ''} already; nothing was written.`,
    {
      kind: 'usage',
      hint: 'Edit what is there, choose another --folder, or replace these files with --force.',
    },
  );
}
