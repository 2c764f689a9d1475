import type { Config } from '../../../src/config/load.ts';
import { CONFIG_FILE_NAME, type ConfigLocation } from '../../../src/config/locate.ts';
import { type Examined, failed, ok } from '../../../src/store/examination.ts';

/** Names the configuration that every other check judges. Environment variables alone are one, too. */
export function checkConfiguration(
  { file, through }: ConfigLocation,
  { variables }: Pick<Config, 'variables'>,
  cwd: string,
): Examined {
  const name = 'configuration';
  const given = variables.length === 0 ? '' : variables.join(', ');
  if (file !== null) return ok(name, `${file} (found through ${through})${given === '' ? '' : `, and ${given}`}`);
  if (given !== '') return ok(name, `environment variables alone: ${given}`);
  const looked = `no --config, no TALLYHOOK_CONFIG, no ${CONFIG_FILE_NAME} in ${cwd}, no TALLYHOOK_… variable`;
  return failed(
    name,
    `none found (${looked})`,
    'Name yours: tallyhook doctor --config FILE; `tallyhook init` writes one.',
  );
}
