import { join } from 'node:path';
import type { Config } from '../../../src/config/load.ts';
import { packageVersion } from '../../../src/package-root.ts';
import { UsageError } from '../../options/options.ts';
import {
  type Deployment,
  fill,
  openFiles,
  proxyLimitBytes,
  refusePlaces,
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

export const docker: Deployment = {
  defaultFolder: '.',
  configFolder: (folder) => join(folder, 'config'),
  // The container runs as the owner of both.
  fileMode: 0o600,
  folderMode: 0o700,
  owner: () => (process.getuid?.() === 0 ? containerUser() : undefined),
  database: `${STATE}/tallyhook.db`,
  adapt: (text) =>
    replaceLine(
      replaceLine(
        replaceLine(withAuditKey(text, STATE), 'database: ./data/tallyhook.db', `database: ${STATE}/tallyhook.db`),
        'receiver:\n  host: 127.0.0.1',
        'receiver:\n  host: 0.0.0.0',
      ),
      '  # trustProxy: [127.0.0.1]       #',
      `  trustProxy: [${SUBNET}]   #`,
    ),
  names: ['Dockerfile', 'compose.yaml', 'Caddyfile'],
  files,
  steps: ({ folder, address }) => [
    `cd ${folder}`,
    'docker compose up --detach --build',
    `docker compose exec tallyhook tallyhook doctor --public-url ${address.origin}`,
  ],
};

/** Who owns the configuration and runs in the container: who calls this command; never root. */
function containerUser(): { readonly uid: number; readonly gid: number } {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 ? { uid: CONTAINER_USER, gid: CONTAINER_USER } : { uid, gid: process.getgid?.() ?? uid };
}

function files(config: Config, { folder, address, databaseGroup }: Target): Record<string, string> {
  refusePlaces([folder]);
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
  const place = { ...address, site: siteOf(address), ...containerUser(), receiverPort: receiver.port, subnet: SUBNET };
  const limits = {
    stopSeconds: stopSeconds(config),
    openFiles: openFiles(config),
    proxyLimitBytes: proxyLimitBytes(config),
  };
  const values = { ...place, ...limits, version: packageVersion(), ready: `http://127.0.0.1:${admin.port}/readyz` };
  return Object.fromEntries(docker.names.map((name) => [name, fill(`docker/${name}`, values)]));
}
