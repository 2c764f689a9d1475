import { type Config, loadConfig } from '../../src/config/load.ts';

/** Loads the configuration: the file of `--config`, TALLYHOOK_CONFIG or ./tallyhook.yaml, or variables alone. */
export function configFrom(argv: { config?: string | undefined }): Config {
  return loadConfig({ file: argv.config, env: process.env, cwd: process.cwd() });
}
