import { existsSync, mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CONFIG_FILE_NAME } from '../../src/config/locate.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { note, print, printJson } from '../show/output.ts';
import { configText, environmentText, writeNew } from './init/files.ts';
import { collectKeys, type InitKeys, KEY_PROMPTS } from './init/keys.ts';

/** `tallyhook init`: writes tallyhook.yaml and .env, and checks the keys. */
export function addInitCommand(cli: Cli): Cli {
  return cli.command(
    'init',
    SUMMARY.init,
    (command) =>
      command
        .option('folder', { type: 'string', requiresArg: true, default: '.', describe: 'Where to write them' })
        .option('test-public-key', { type: 'string', requiresArg: true, describe: 'pk_test_…' })
        .option('test-secret-key', { type: 'string', requiresArg: true, describe: 'sk_test_…, better as a variable' })
        .option('live-public-key', { type: 'string', requiresArg: true, describe: 'pk_live_…' })
        .option('live-secret-key', { type: 'string', requiresArg: true, describe: 'sk_live_…, better as a variable' })
        .option('yes', { type: 'boolean', default: false, describe: 'Do not prompt' })
        .option('force', { type: 'boolean', default: false, describe: 'Replace files that exist' })
        .example('$0 init', 'Prompts for the keys; secrets are not shown while you type')
        .example('$0 init --yes', 'Takes the keys from TALLYHOOK_TEST_PUBLIC_KEY and so on, if they are set'),
    async (argv) => {
      const folder = resolve(argv.folder);
      const files = { config: join(folder, CONFIG_FILE_NAME), environment: join(folder, '.env') };
      if (!argv.force) refuseExisting(Object.values(files));
      const keys = await collectKeys(argv, { interactive: !argv.yes && process.stdin.isTTY === true });
      if (Object.keys(keys).length === 0 && !argv.yes && !process.stdin.isTTY) {
        throw new UsageError(
          'There is no terminal to prompt for keys.',
          `Give them as ${KEY_PROMPTS.map(({ variable }) => variable).join(', ')}, as options, or --yes for none.`,
        );
      }
      mkdirSync(folder, { recursive: true });
      writeNew(files.environment, environmentText(keys), { mode: 0o600, force: argv.force });
      writeNew(files.config, configText(folder), { mode: 0o644, force: argv.force });
      const { loadConfig } = await import('../../src/config/load.ts');
      const config = loadConfig({ file: files.config, env: {}, cwd: folder });

      const keyIds = config.keyPairs.map((pair) => pair.id);
      if (argv.json) printJson({ written: Object.values(files), keyIds });
      else reportWritten(Object.values(files), keyIds, keys);
    },
  );
}

function refuseExisting(files: readonly string[]): void {
  const existing = files.filter((file) => existsSync(file));
  if (existing.length === 0) return;
  throw new TallyhookError(
    `${existing.join(' and ')} exist${existing.length === 1 ? 's' : ''} already; nothing was written.`,
    {
      kind: 'usage',
      hint: 'Edit what is there, choose another --folder, or replace both files with --force.',
    },
  );
}

function reportWritten(files: readonly string[], keyIds: readonly string[], keys: InitKeys): void {
  const shown = files.map((file) => relative(process.cwd(), file) || file);
  print(`Written: ${shown.join(' and ')} (mode 0600, because it holds the keys)`);
  print(keyIds.length === 0 ? 'Keys: none yet' : `Keys: ${keyIds.join(', ')}, well-formed`);
  print('');
  print('Next:');
  if (keyIds.length === 0) print(`  fill in the keys in ${shown[1]}`);
  print('  tallyhook serve                      start the receiver');
  const environment = keys.testSecretKey === undefined && keys.liveSecretKey !== undefined ? 'live' : 'test';
  if (environment === 'test') print('  tallyhook trigger refund.success     send it a signed sample');
  print(`  give the service your address, ending in /webhooks/${environment}, as the ${environment} webhook URL`);
  note('Keep .env out of version control.');
}
