import { readFileSync } from 'node:fs';

/** Files that a process needs beside its connections: database, logs, threads, calls to the service. */
const OTHER_FILES = 100;

/** Returns how many files this process may have open; null where the system does not say. Node has raised it to the hard limit. */
export function openFilesLimit(): number | null {
  try {
    return limitIn(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return null; // only Linux has this file
  }
}

/** Reads the limit from the text of /proc/PID/limits. */
export function limitIn(limits: string): number | null {
  const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(limits) ?? [];
  return soft === undefined ? null : soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

export interface FileShortage {
  readonly openFiles: number;
  /** As many connections as the files allow. */
  readonly connections: number;
  readonly cure: string;
}

/** Returns what is wrong when `maxConnections` needs more open files than the process may have, else null. */
export function fileShortage(maxConnections: number, openFiles = openFilesLimit()): FileShortage | null {
  if (openFiles === null || openFiles >= maxConnections + OTHER_FILES) return null;
  const neededFiles = maxConnections + OTHER_FILES;
  return {
    openFiles,
    connections: Math.max(1, openFiles - OTHER_FILES),
    cure: `Allow ${neededFiles} open files (systemd: LimitNOFILE=${neededFiles}; a shell: ulimit -n ${neededFiles}), or lower receiver.maxConnections.`,
  };
}
