import { type Config, loadConfig } from '../../src/config/load.ts';

/** The configuration a command runs with: `--config`, TALLYHOOK_CONFIG, ./tallyhook.yaml, then variables alone. */
export function configFrom(argv: { config?: string | undefined }): Config {
  return loadConfig({ file: argv.config, env: process.env, cwd: process.cwd() });
}
