import { packageVersion } from '../../package-root.ts';
import { migrations } from '../sqlite/engine/migrate.ts';

/** Read once: files that a later release puts in their place are not what this process runs. */
const VERSION = versionOfFiles();

/** Names what decides what a write does: this program, its tables, and the rules of time zones and texts that Node brings. */
export function programVersion(): string {
  return VERSION;
}

function versionOfFiles(): string {
  const { node, icu = '', tz = '' } = process.versions;
  const [major] = node.split('.');
  return `tallyhook ${packageVersion()}, schema ${migrations().length}, node ${major}, icu ${icu}, tz ${tz}`;
}
