import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Config } from '../../../src/config/load.ts';
import { packageFile } from '../../../src/package-root.ts';
import { UsageError } from '../../options/options.ts';

// What `init --deploy systemd` writes beside the configuration: a unit and a proxy block, filled in for this machine.

export const DEPLOY_FOLDER = '/etc/tallyhook';
/** Files that are written beside tallyhook.yaml and .env, named after their templates. */
export const DEPLOYED_NAMES = ['tallyhook.service', 'nginx.conf'] as const;
/** The system user that runs `serve`; also the name of its unit, and of its folder in /var/lib. */
export const SERVICE_USER = 'tallyhook';
const DATABASE = `/var/lib/${SERVICE_USER}/tallyhook.db`;

/** Folders that ProtectHome and PrivateTmp hide from the service. */
const HIDDEN = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];

/** The address at which the payment service reaches this server. */
export interface PublicAddress {
  /** `https://hooks.example.com:8443` */
  readonly origin: string;
  /** `hooks.example.com`: the name in the certificate. */
  readonly name: string;
  readonly port: string;
}

/** @throws UsageError unless it is an https:// address without a path */
export function publicAddress(publicUrl: string | undefined): PublicAddress {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (url?.protocol === 'https:' && `${url.origin}/` === url.href)
    return { origin: url.origin, name: url.hostname, port: url.port === '' ? '443' : url.port };
  const seen = publicUrl === undefined ? 'is missing' : `is ${JSON.stringify(publicUrl)}`;
  throw new UsageError(
    `--public-url ${seen}: --deploy needs the https:// address of this server, without a path.`,
    'For example: tallyhook init --deploy systemd --public-url https://hooks.example.com',
  );
}

/** The commented template of tallyhook.yaml, as a service behind a proxy on the same machine needs it. */
export function asService(configText: string): string {
  return replaceLine(
    replaceLine(configText, 'database: ./data/tallyhook.db', `database: ${DATABASE}`),
    '  # trustProxy: [127.0.0.1]       #',
    '  trustProxy: [127.0.0.1]         #',
  );
}

function replaceLine(text: string, start: string, by: string): string {
  if (!text.includes(`\n${start}`))
    throw new Error(`The template tallyhook.yaml has no line that starts with ${start}`);
  return text.replace(`\n${start}`, () => `\n${by}`);
}

/** Programs that the unit starts: this Node, and this launcher. */
export interface Programs {
  readonly node: string;
  readonly launcher: string;
}

export function thesePrograms(): Programs {
  return { node: realpathSync(process.execPath), launcher: realpathSync(packageFile('cli/tallyhook.js')) };
}

/** @throws UsageError when the service could not read one of them, so that it would fail at its start only */
export function refuseHidden({ node, launcher }: Programs, folder: string): void {
  for (const path of [node, launcher, folder]) {
    const hiding = HIDDEN.find((each) => path.startsWith(`${each}/`));
    if (hiding === undefined) continue;
    throw new UsageError(
      `The service could not read ${path}: a service sees nothing below ${hiding}. Nothing was written.`,
      'Install Node and tallyhook for all users (npm install --global), and keep the configuration in /etc/tallyhook.',
    );
  }
}

/** The unit for systemd and the server block for nginx, by file name. */
export function deploymentFiles(config: Config, { programs, file, address }: Deployment): Record<string, string> {
  const { host, port, bodyLimitBytes } = config.receiver;
  const words = { node: unitWord(programs.node), launcher: unitWord(programs.launcher), config: unitWord(file) };
  const receiver = `http://${host}:${port}`;
  return {
    'tallyhook.service': fill('tallyhook.service', { ...words, user: SERVICE_USER }),
    'nginx.conf': fill('nginx.conf', { ...address, receiver, bodyLimitBytes }),
  } satisfies Record<(typeof DEPLOYED_NAMES)[number], string>;
}

export interface Deployment {
  readonly programs: Programs;
  /** The configuration file. */
  readonly file: string;
  readonly address: PublicAddress;
}

const eta = new Eta({
  views: packageFile('templates', 'deploy'),
  defaultExtension: '',
  autoEscape: false,
  autoTrim: false,
});

function fill(template: string, values: object): string {
  return eta.render(join('.', template), values);
}

/** One word of a unit's command line: systemd reads spaces, quotes, `%` and `$` in it as more than themselves. */
function unitWord(path: string): string {
  if (/^[\w/.+@:-]+$/.test(path)) return path;
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

/** What a person does next, as root. */
export function deploymentSteps(folder: string, { name }: PublicAddress): string[] {
  return [
    `id ${SERVICE_USER} || useradd --system --user-group --home-dir /var/lib/${SERVICE_USER} --shell /usr/sbin/nologin ${SERVICE_USER}`,
    `chown -R root:${SERVICE_USER} ${folder}`,
    `install -m 644 ${folder}/tallyhook.service /etc/systemd/system/`,
    'systemctl daemon-reload && systemctl enable --now tallyhook',
    // Before the block: nginx refuses one whose certificate does not exist.
    `certbot certonly --nginx -d ${name}`,
    `install -m 644 ${folder}/nginx.conf /etc/nginx/conf.d/tallyhook.conf`,
    'nginx -t && systemctl reload nginx',
  ];
}
