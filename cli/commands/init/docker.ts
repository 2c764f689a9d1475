import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../src/config/load.ts';
import { packageFile, packageVersion } from '../../../src/package-root.ts';
import { UsageError } from '../../options/options.ts';
import {
  type Deployment,
  fill,
  openFiles,
  proxyLimitBytes,
  refusePaths,
  replaceLine,
  siteOf,
  stopSeconds,
  type Target,
  withAuditKey,
} from './deployment.ts';

// `init --deploy docker`: an image, and a compose file with the TLS proxy beside it.

const STATE = '/var/lib/tallyhook';
/** The network of the receiver and its proxy. */
const SUBNET = '172.30.46.0/24';
/** The user in the container when root writes the files: no user of the machine has this number. */
const CONTAINER_USER = 61_046;

/** What the template of the configuration says otherwise here. */
const LINES: readonly (readonly [start: string, by: string])[] = [
  ['database: ./data/tallyhook.db', `database: ${STATE}/tallyhook.db`],
  ['receiver:\n  host: 127.0.0.1', 'receiver:\n  host: 0.0.0.0'],
  ['  # trustProxy: [127.0.0.1]       #', `  trustProxy: [${SUBNET}]   #`],
  ['admin:\n  host: 127.0.0.1', 'admin:\n  host: 0.0.0.0'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration reads it
  ['  # token: ${TALLYHOOK_ADMIN_TOKEN}', '  token: ${TALLYHOOK_ADMIN_TOKEN}'],
  ['  # allowedHosts: [tallyhook.internal]', '  allowedHosts: [tallyhook]'],
];

export const docker: Deployment = {
  defaultFolder: '.',
  configFolder: (folder) => join(folder, 'config'),
  // The container runs as the owner of both.
  fileMode: 0o600,
  folderMode: 0o700,
  owner: () => (process.getuid?.() === 0 ? containerUser() : undefined),
  database: `${STATE}/tallyhook.db`,
  adapt: (text) => LINES.reduce((adapted, [start, by]) => replaceLine(adapted, start, by), withAuditKey(text, STATE)),
  // The admin listener is reached from the machine and from beside the container, so it needs one.
  newAdminToken: () => randomBytes(24).toString('hex'),
  names: ['Dockerfile', 'compose.yaml', 'Caddyfile'],
  files,
  steps: ({ folder, address }) => [
    packStep(folder),
    `cd ${folder}`,
    'docker compose up --detach --build',
    `docker compose exec tallyhook tallyhook doctor --public-url ${address.origin}`,
    'set alerts.webhook or alerts.mail, schedule.backup and schedule.backupFolder: /backups in config/tallyhook.yaml; docker compose restart tallyhook',
    'docker compose exec tallyhook tallyhook alerts test',
    'put the job "alerts" and copies of /backups into the crontab of this machine: docs/operations.md, "In a container"',
  ],
};

/** The package for the image: this one, from a clone (which it builds) or from where it is installed. */
function packStep(folder: string): string {
  const isClone = existsSync(packageFile('tsconfig.build.json'));
  return `npm pack ${packageFile()} --pack-destination ${folder}${isClone ? '' : ' --ignore-scripts'}`;
}

/** Who owns the configuration and runs in the container: who calls this command; never root. */
function containerUser(): { readonly uid: number; readonly gid: number } {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 ? { uid: CONTAINER_USER, gid: CONTAINER_USER } : { uid, gid: process.getgid?.() ?? uid };
}

function files(config: Config, { folder, address, otherReceivers, databaseGroup }: Target): Record<string, string> {
  refusePaths([folder]);
  if (databaseGroup !== null)
    throw new UsageError('--database-group is for --deploy systemd: a volume of a container has no users beside it.');
  const { receiver, admin, database } = config;
  if (!database.startsWith(`${STATE}/`))
    throw new UsageError(
      `database is ${database}, which is not on the volume of the container. Nothing was written.`,
      `Set it to ${STATE}/tallyhook.db.`,
    );
  if (receiver.port === 0 || admin.port === 0)
    throw new UsageError('A port of 0 means any free one. Nothing was written.', 'The proxy needs a number.');
  const place = {
    ...address,
    site: siteOf(address),
    ...containerUser(),
    receiverPort: receiver.port,
    receivers: [`tallyhook:${receiver.port}`, ...otherReceivers],
    adminPort: admin.port,
    subnet: SUBNET,
  };
  const limits = {
    stopSeconds: stopSeconds(config),
    openFiles: openFiles(config),
    proxyLimitBytes: proxyLimitBytes(config),
  };
  const values = { ...place, ...limits, version: packageVersion(), ready: `http://127.0.0.1:${admin.port}/readyz` };
  return Object.fromEntries(docker.names.map((name) => [name, fill(`docker/${name}`, values)]));
}
