import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Command lines of the processes that run in `folder`, from /proc. */
export function processesIn(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || readlinkSync(`/proc/${pid}/cwd`) !== folder) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`];
    } catch {
      return []; // it ended, or is not ours
    }
  });
}
