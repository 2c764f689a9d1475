#!/usr/bin/env node
// Stands for `systemctl` where no systemd runs: starts a unit as systemd would as far as a plain process can, with its sockets, user,
// folders, modes and a file system that is read-only but for its state. What it does not know, it refuses.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const UNITS = '/etc/systemd/system';
const NGINX_PID_FILE = '/run/nginx.pid';
const LOG_FILE = '/run/tallyhook.log';
/** What one start of the unit does, as of the latest daemon-reload. */
const START_FILE = '/run/tallyhook.start';

const ACTIONS: Record<string, () => unknown> = {
  'daemon-reload': () => writeFileSync(START_FILE, startScript(readUnit(`${UNITS}/tallyhook.service`))),
  'enable --now tallyhook-health.timer tallyhook-alerts.timer': () => {
    for (const job of ['health', 'alerts']) runJob(readUnit(`${UNITS}/tallyhook-${job}.timer`));
  },
  'enable --now tallyhook': () => start(readUnit(`${UNITS}/tallyhook.service`)),
  'reload tallyhook': () => process.kill(latestPid(), 'SIGHUP'),
  'restart tallyhook': async () => {
    const before = servings().length;
    process.kill(latestPid(), 'SIGTERM');
    while (servings().length === before) await setTimeout(20);
  },
  'reload nginx': () => process.kill(Number(readFileSync(NGINX_PID_FILE, 'utf8')), 'SIGHUP'),
};

const asked = process.argv.slice(2).join(' ');
const action = ACTIONS[asked];
if (action === undefined) throw new Error(`systemctl ${asked} is not known here`);
await action();
process.exit(0); // the sockets are held by the manager of the unit

type Unit = (name: string, fallback?: string) => string;

function readUnit(file: string): Unit {
  const lines = readFileSync(file, 'utf8').split('\n');
  const settings = new Map(
    lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s) as [string, string]),
  );
  return (name, fallback) => {
    const value = settings.get(name) ?? fallback;
    if (value === undefined) throw new Error(`${file} has no ${name}`);
    return value;
  };
}

/** The user and the rights of a unit. */
function accountOf(unit: Unit): string[] {
  const groups = [unit('Group'), unit('SupplementaryGroups', '')].filter(Boolean);
  const user = ['setpriv', `--reuid=${unit('User')}`, `--regid=${unit('Group')}`, `--groups=${groups.join(',')}`];
  return [...user, '--no-new-privs', '--bounding-set=-all', '--'];
}

/** What the timer starts, once and now. */
function runJob(timer: Unit): void {
  const [, template = '', instance = ''] = /^(.*@)(.*)\.service$/.exec(timer('Unit')) ?? [];
  const unit = readUnit(`${UNITS}/${template}.service`);
  const command = unit('ExecStart').replaceAll('%i', instance).split(' ');
  const [program = '', ...words] = [...accountOf(unit), ...command];
  const { status } = spawnSync(program, words, { cwd: unit('WorkingDirectory'), stdio: 'inherit' });
  if (status !== 0 && status !== Number(unit('SuccessExitStatus'))) throw new Error(`the job ended with ${status}`);
}

function startScript(unit: Unit): string {
  const state = `/var/lib/${unit('StateDirectory')}`;
  const sockets = socketsOf(unit);
  const names = sockets.map((each) => each('FileDescriptorName')).join(':');
  return [
    `chown ${unit('User')}:${unit('Group')} ${state}`,
    `chmod ${unit('StateDirectoryMode')} ${state}`,
    `cd ${unit('WorkingDirectory')}`,
    `umask ${unit('UMask')}`,
    `export ${unit('Environment')}`,
    `export LISTEN_PID=$$ LISTEN_FDS=${sockets.length} LISTEN_FDNAMES=${names}`,
    `exec ${accountOf(unit).join(' ')} ${unit('ExecStart')}`,
  ].join('\n');
}

function socketsOf(unit: Unit): Unit[] {
  return unit('Sockets')
    .split(' ')
    .map((name) => readUnit(`${UNITS}/${name}`));
}

async function start(unit: Unit): Promise<void> {
  const opened = await Promise.all(socketsOf(unit).map((socket) => listen(socket('ListenStream'))));
  const state = `/var/lib/${unit('StateDirectory')}`;
  mkdirSync(state, { recursive: true });
  const sealed = [
    `mount --bind ${state} ${state}`,
    // As ProtectSystem=strict and PrivateTmp do.
    'for place in / /etc /opt /usr/local/bin /var/lib; do mount -o remount,bind,ro $place; done',
    'mount -t tmpfs -o mode=1777 none /tmp',
    // As Restart=always.
    `while :; do sh -e ${START_FILE} || :; done`,
  ];
  const log = openSync(LOG_FILE, 'w');
  const descriptors = opened.map((server) => (server as unknown as { _handle: { fd: number } })._handle.fd);
  const manager = spawn('unshare', ['--mount', 'sh', '-ec', sealed.join('\n')], {
    detached: true,
    stdio: ['ignore', log, log, ...descriptors],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  let code: number | null = null;
  manager.on('exit', (number) => {
    code = number ?? 1;
  });
  while (servings().length === 0) {
    if (code !== null) throw new Error(`the unit ended with ${code}:\n${readFileSync(LOG_FILE, 'utf8')}`);
    await setTimeout(20);
  }
}

async function listen(address: string): Promise<Server> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const server = createServer().listen(Number(port), hostname);
  await once(server, 'listening');
  return server;
}

/** The log lines of each start. */
function servings(): { pid: number }[] {
  const lines = existsSync(LOG_FILE) ? readFileSync(LOG_FILE, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('"msg":"serving"}')).map((line) => JSON.parse(line));
}

function latestPid(): number {
  return servings().at(-1)?.pid ?? 0;
}
