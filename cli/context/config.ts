import type { Config } from '../../src/config/load.ts';

/** Loads the configuration: the file of `--config`, TALLYHOOK_CONFIG or ./tallyhook.yaml, or variables alone. */
export async function configFrom(argv: { config?: string | undefined }): Promise<Config> {
  const { loadConfig } = await import('../../src/config/load.ts'); // the help of a command needs no schema
  return loadConfig({ file: argv.config, env: process.env, cwd: process.cwd() });
}
