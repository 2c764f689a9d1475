import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFIG_VARIABLE, type Variables } from './variables.ts';

export interface ConfigSource {
  /** `--config`; then TALLYHOOK_CONFIG, unless it is empty; then tallyhook.yaml in `cwd` if there is one. */
  readonly file?: string | undefined;
  readonly env: Variables;
  readonly cwd: string;
}

/** The file of a configuration, and how it was found; both null when there is none. */
export type ConfigLocation =
  | { readonly file: string; readonly through: '--config' | typeof CONFIG_VARIABLE | 'the working folder' }
  | { readonly file: null; readonly through: null };

export const CONFIG_FILE_NAME = 'tallyhook.yaml';

/** Finds the file of a configuration. A file that is named is taken whether or not it exists. */
export function locateConfig({ file, env, cwd }: ConfigSource): ConfigLocation {
  if (file !== undefined) return { file: resolve(cwd, file), through: '--config' };
  const named = env[CONFIG_VARIABLE] ?? '';
  if (named !== '') return { file: resolve(cwd, named), through: CONFIG_VARIABLE };
  const usual = join(cwd, CONFIG_FILE_NAME);
  return existsSync(usual) ? { file: usual, through: 'the working folder' } : { file: null, through: null };
}
