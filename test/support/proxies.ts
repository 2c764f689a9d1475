import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { publicAddress } from '../../cli/commands/init/public-address.ts';
import { systemdFiles } from '../../cli/commands/init/systemd.ts';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { spawn } from './processes.ts';
import { NGINX } from './tools.ts';
import { until } from './wait.ts';

/** A proxy of templates/deploy/ in front of a receiver, as `init` writes it, but without TLS. */
export interface Proxy {
  readonly url: string;
  readonly output: () => string;
}

const PROGRAMS = { node: '/usr/bin/node', launcher: '/usr/bin/tallyhook' };

/** The files that `init --deploy systemd` writes for a receiver at this address. */
function filesFor(receiverUrl: string): Record<string, string> {
  const { hostname, port } = new URL(receiverUrl);
  const config = loadConfig({ env: { TALLYHOOK_HOST: hostname, TALLYHOOK_PORT: port }, cwd: '/' });
  const place = {
    folder: '/etc/tallyhook',
    file: '/etc/tallyhook/tallyhook.yaml',
    otherReceivers: [],
    databaseGroup: null,
  };
  const address = publicAddress('https://hooks.example.com');
  return systemdFiles({ ...config, database: '/var/lib/tallyhook/tallyhook.db' }, { ...place, address }, PROGRAMS);
}

/** Takes `from` out of the text, which must be there. */
function changed(text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new Error(`the proxy has no ${from}`);
  return text.replace(from, to);
}

/** Resolves when it listens on all of its ports; the first is that of `url`. */
async function start(ports: readonly number[], program: string, args: readonly string[], cwd: string): Promise<Proxy> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended:\n${output}`);
      return (await Promise.all(ports.map(isOpen))).every(Boolean);
    },
    `${program} listens`,
    30_000,
  );
  return { url: `http://127.0.0.1:${ports[0]}`, output: () => output };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

export async function startNginx(receiverUrl: string): Promise<Proxy> {
  const folder = temporaryFolder();
  const port = Number(await freePort());
  mkdirSync(join(folder, 'temp'));
  const block = changed(filesFor(receiverUrl)['nginx.conf'] ?? '', /listen 443 ssl;/, `listen 127.0.0.1:${port};`);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path temp/${name};`);
  writeFileSync(join(folder, 'block.conf'), changed(block, /( {2}ssl_.*\n)+/, ''));
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} pid nginx.pid; daemon off; error_log stderr; events {}\n` +
      `http { access_log off; ${temp.join(' ')} include ${join(folder, 'block.conf')}; }\n`,
  );
  return start([port], NGINX ?? 'nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], folder);
}

/** `plainUrl`: where it listens without TLS. */
export async function startCaddy(receiverUrl: string): Promise<Proxy & { readonly plainUrl: string }> {
  const folder = temporaryFolder();
  const [port, plainPort] = [Number(await freePort()), Number(await freePort())];
  const site = changed(filesFor(receiverUrl).Caddyfile ?? '', /^hooks\.example\.com \{/m, `http://:${port} {`);
  const options = ['admin off', 'default_bind 127.0.0.1', `http_port ${plainPort}`];
  writeFileSync(join(folder, 'Caddyfile'), `{\n\t${options.join('\n\t')}\n}\n${site}`);
  const proxy = await start(
    [port, plainPort],
    'caddy',
    ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    folder,
  );
  return { ...proxy, plainUrl: `http://127.0.0.1:${plainPort}` };
}
