import type { Config } from '../../../src/config/load.ts';
import { fileShortage, openFilesLimit } from '../../../src/serve/connections/open-files.ts';
import { type Examined, ok, skipped, warning } from '../../../src/store/examination.ts';

/** Checks that a process started as this one may open a file for each of its connections. `serve` logs its own limit. */
export function checkOpenFiles({ receiver }: Config, openFiles = openFilesLimit()): Examined {
  const name = 'open files';
  if (openFiles === null) return skipped(name, 'this system does not say how many this process may open');
  const shortage = fileShortage(receiver.maxConnections, openFiles);
  if (shortage === null) return ok(name, `${openFiles} allowed, for ${receiver.maxConnections} connections`);
  const seen = `${openFiles} allowed here: room for ${shortage.connections} of ${receiver.maxConnections} connections`;
  return warning(name, seen, shortage.cure);
}
