import { chmodSync, chownSync, existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { CONFIG_FILE_NAME } from '../../../src/config/locate.ts';
import { UsageError } from '../../options/options.ts';
import { printJson } from '../../show/output.ts';
import type { Deployment } from './deployment.ts';
import { docker } from './docker.ts';
import { configText, environmentText, makeFolder, type NewFile, refuseExisting, writeNew } from './files.ts';
import { ignoreInGit } from './git.ts';
import type { InitKeys } from './keys.ts';
import { publicAddress, receiverAddresses } from './public-address.ts';
import { reportDeployed } from './report.ts';
import { SERVICE_USER, systemd } from './systemd.ts';

const DEPLOYMENTS = { systemd, docker } as const satisfies Record<string, Deployment>;

const FORCE_HINT =
  'Edit what is there, choose another --folder, or write these files again with --force: tallyhook.yaml and .env stay as they are.';

export interface DeployArguments {
  readonly kind: keyof typeof DEPLOYMENTS;
  readonly folder: string | undefined;
  readonly publicUrl: string | undefined;
  readonly receivers: string | undefined;
  readonly databaseGroup: string | undefined;
  readonly force: boolean;
  readonly json?: boolean | undefined;
  collectKeys(): Promise<InitKeys>;
}

/**
 * Writes what a server needs beside the configuration, filled in from it. A configuration that is there is kept, also with --force:
 * it holds keys, and what was set by hand.
 */
export async function deploy(argv: DeployArguments): Promise<void> {
  const deployment: Deployment = DEPLOYMENTS[argv.kind];
  const address = publicAddress(argv.publicUrl);
  const otherReceivers = receiverAddresses(argv.receivers);
  const databaseGroup = argv.databaseGroup === undefined ? null : groupName(argv.databaseGroup);
  const folder = resolve(argv.folder ?? deployment.defaultFolder);
  const place = deployment.configFolder(folder);
  const files = { environment: join(place, '.env'), config: join(place, CONFIG_FILE_NAME) };
  const target = { folder, file: files.config, address, otherReceivers, databaseGroup };
  const paths = deployment.names.map((name) => join(folder, name));
  if (!argv.force) refuseExisting(paths, FORCE_HINT);

  const isKept = existsSync(files.config);
  const read = () => loadConfig({ file: isKept ? files.config : undefined, env: {}, cwd: place });
  // What cannot work is refused before the first prompt.
  deployment.files(isKept ? read() : { ...read(), database: deployment.database }, target);
  const kept = [files.environment, files.config].filter((file) => existsSync(file));
  const keys = kept.length > 0 ? {} : await argv.collectKeys();

  makeFolders(deployment, place, paths);
  const ignored = ignoreInGit(place);
  const own = ownFiles(deployment, files, keys).filter(({ path }) => !kept.includes(path) && !isKept);
  writeNew(own, { force: false });
  try {
    const config = loadConfig({ file: files.config, env: {}, cwd: place });
    const texts = Object.entries(deployment.files(config, target));
    writeNew(
      texts.map(([name, text]) => ({ path: join(folder, name), text, mode: 0o644 })),
      argv,
    );
    const written = [...own.map(({ path }) => path), ...paths, ...(ignored === null ? [] : [ignored])];
    const keyIds = config.keyPairs.map(({ id }) => id);
    if (argv.json) return printJson({ written, kept, keyIds });
    reportDeployed({
      folder,
      written: written.filter((path) => path !== ignored),
      ignored,
      kept,
      keyIds,
      environmentFile: files.environment,
      address,
      environment: keys.testSecretKey === undefined && keys.liveSecretKey !== undefined ? 'live' : 'test',
      asRoot: argv.kind === 'systemd',
      steps: deployment.steps(target),
      remarks: remarksOn(config),
    });
  } catch (error) {
    for (const { path } of own) rmSync(path, { force: true }); // else the next run would keep them
    throw error;
  }
}

/** The folder of the configuration gets its mode and owner, if it is new; one that is there stays as it is. */
function makeFolders({ folderMode, owner }: Deployment, place: string, paths: readonly string[]): void {
  const isNew = !existsSync(place);
  for (const folder of new Set([place, ...paths.map(dirname)])) makeFolder(folder);
  if (!isNew) return;
  chmodSync(place, folderMode);
  const { uid, gid } = owner() ?? {};
  if (uid !== undefined && gid !== undefined) chownSync(place, uid, gid);
}

function ownFiles(
  { adapt, fileMode: mode, owner, newAdminToken }: Deployment,
  { environment, config }: { environment: string; config: string },
  keys: InitKeys,
): NewFile[] {
  const given = owner();
  const files = [
    { path: environment, text: environmentText(keys, { mode, adminToken: newAdminToken() }), mode },
    { path: config, text: adapt(configText(dirname(config))), mode },
  ];
  return given === undefined ? files : files.map((file) => ({ ...file, owner: given }));
}

function remarksOn({ receiver }: Config): string[] {
  if (receiver.trustProxy !== false) return [];
  return ['receiver.trustProxy names no proxy, so every refused request will have the address of the proxy.'];
}

function groupName(text: string): string {
  const seen = `--database-group is ${JSON.stringify(text)}`;
  if (text === SERVICE_USER)
    throw new UsageError(
      `${seen}: that group reads the keys of the payment service.`,
      'Make a group of its own for them.',
    );
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(text)) throw new UsageError(`${seen}, which is no name of a group.`);
  return text;
}
