import type { Config } from '../../src/config/load.ts';
import { showTimesIn } from '../show/text.ts';
import { importZod } from './lean-imports.ts';

/**
 * Loads the configuration: the file of `--config`, TALLYHOOK_CONFIG or ./tallyhook.yaml, or variables alone. From then on
 * text shows times in its `timeZone`. With `--at-least` it also waits until this machine has carried out that entry.
 */
export async function configFrom(argv: { config?: string | undefined; atLeast?: string | undefined }): Promise<Config> {
  await importZod();
  const { loadConfig } = await import('../../src/config/load.ts'); // the help of a command needs no schema
  const config = loadConfig({ file: argv.config, env: process.env, cwd: process.cwd() });
  showTimesIn(config.timeZone);
  if (argv.atLeast !== undefined) await (await import('./at-least.ts')).reachEntry(config, argv.atLeast);
  return config;
}
