import { dirname } from 'node:path';
import { Eta } from 'eta';
import type { Config } from '../../../src/config/load.ts';
import { packageFile } from '../../../src/package-root.ts';
import { UsageError } from '../../options/options.ts';
import type { PublicAddress } from './public-address.ts';

// What both kinds of deployment have in common: systemd.ts and docker.ts are the two.

/** What `init --deploy KIND` writes beside the configuration, and what a person does with it. */
export interface Deployment {
  readonly defaultFolder: string;
  /** Where tallyhook.yaml and .env belong. */
  configFolder(folder: string): string;
  /** Mode of .env and tallyhook.yaml. */
  readonly fileMode: number;
  /** Mode of their folder. */
  readonly folderMode: number;
  /** Who they are given to; undefined: who writes them. */
  owner(): { readonly uid: number; readonly gid: number } | undefined;
  /** Where the database is in a new configuration. */
  readonly database: string;
  /** The commented template of tallyhook.yaml, as this deployment needs it. */
  adapt(configText: string): string;
  /** A new token of the admin listener; null: it listens on this machine alone. */
  newAdminToken(): string | null;
  /** Files by their path below the folder; the same names for every configuration. */
  readonly names: readonly string[];
  /** @throws UsageError when the configuration, or a path, cannot work there */
  files(config: Config, target: Target): Record<string, string>;
  steps(target: Target): string[];
}

export interface Target {
  readonly folder: string;
  /** The configuration file. */
  readonly file: string;
  readonly address: PublicAddress;
  /** `10.0.0.12:4600`: receivers of other machines that share the log, to which the proxy sends as well. */
  readonly otherReceivers: readonly string[];
  /** Group whose members read and write the database beside the service; null: none. */
  readonly databaseGroup: string | null;
}

/** Seconds from SIGTERM to SIGKILL: longer than `serve` takes to stop in order. */
export function stopSeconds({ receiver }: Config): number {
  return Math.ceil(receiver.shutdownTimeoutMs / 1_000) + 7;
}

/** Open files for every connection, and for the files of the database beside them. */
export function openFiles({ receiver }: Config): number {
  return Math.max(20_000, receiver.maxConnections * 2);
}

/**
 * Largest body that the proxy passes on: twice what the receiver takes, so that the receiver sees, refuses and counts one that is too
 * large.
 */
export function proxyLimitBytes({ receiver }: Config): number {
  return receiver.bodyLimitBytes * 2;
}

/** `hooks.example.com`, with its port unless it is that of https. */
export function siteOf({ name, port }: PublicAddress): string {
  return port === '443' ? name : `${name}:${port}`;
}

/** Folders of the kernel and of one run of the machine: nothing is kept there. */
const NOT_KEPT = ['/proc', '/sys', '/dev', '/run', '/var/run'];

/** @throws UsageError for a folder that keeps no files, or whose name the written files could not carry unchanged */
export function refusePaths(paths: readonly string[]): void {
  for (const path of paths) {
    const folder = NOT_KEPT.find((each) => path === each || path.startsWith(`${each}/`));
    if (folder !== undefined)
      throw new UsageError(`${path} is below ${folder}, which keeps no files. Nothing was written.`, ELSEWHERE);
    const odd = /[^\w/.+@-]/.exec(path)?.[0];
    if (odd === undefined) continue;
    const named = odd === ' ' ? 'a blank' : JSON.stringify(odd);
    throw new UsageError(
      `${JSON.stringify(path)} has ${named} in its name, which units, cron and proxies read in different ways. Nothing was written.`,
      ELSEWHERE,
    );
  }
}

const ELSEWHERE = 'Choose a path of letters, digits and / . _ - + @, such as /etc/tallyhook.';

/** Replaces the line of the template tallyhook.yaml that starts with `start`. */
export function replaceLine(text: string, start: string, by: string): string {
  if (!text.includes(`\n${start}`))
    throw new Error(`The template tallyhook.yaml has no line that starts with ${start}`);
  return text.replace(`\n${start}`, () => `\n${by}`);
}

const AUDIT_KEY = '# audit:\n#   key: {file: ./audit.key}';

/** Puts the key of the audit chain into the folder of the service's state: that of the configuration is not the service's to write. */
export function withAuditKey(text: string, state: string): string {
  return replaceLine(text, AUDIT_KEY, `audit:\n  key: {file: ${state}/audit.key}`);
}

/** Folders that `serve` writes, besides that of its own state. */
export function writtenFolders({ database, schedule, receiver, reports, audit, file }: Config): string[] {
  const keyFolder = dirname(audit.key.file);
  // Beside the configuration the service could not make it all the same: that folder is root's.
  const isElsewhere = file !== null && dirname(file) !== keyFolder;
  const ownFolders = [dirname(database), isElsewhere ? keyFolder : null];
  const folders = [...ownFolders, schedule.backupFolder, receiver.captureFailed, reports.folder];
  return folders.filter((folder) => folder !== null);
}

const eta = new Eta({
  views: packageFile('templates', 'deploy'),
  defaultExtension: '',
  autoEscape: false,
  autoTrim: false,
});

/** A template of templates/deploy/, filled in. */
export function fill(template: string, values: object): string {
  return eta.render(`./${template}`, values);
}
