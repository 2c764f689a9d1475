#!/usr/bin/env node
// The launcher. Plain JavaScript, because an older Node cannot read a .ts file, and no native module may load there. It
// finds a Node >= 24 (this one, or the package `node`), then runs main.ts, or dist/ in an installed package.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  ENVIRONMENT,
  isOlderNode,
  keepCompiled,
  NEEDS_NODE,
  setLaterFlags,
  startedWithSettings,
  V8_FLAGS,
} from './runtime.js';

const serves = process.argv.includes('serve');
/** An import makes as much short-lived garbage as `serve`: without the settings a million lines take 110 MB more. */
const needsSettings = serves || process.argv.includes('import');

if (isOlderNode()) await handOver(installedNode());
else if (needsSettings && !startedWithSettings() && canRestart()) restart();
else await run();

async function run() {
  setLaterFlags();
  // By default SIGHUP ends a process. While serve loads, it must not: serve reads the keys after this.
  if (serves) process.on('SIGHUP', () => {});
  const source = new URL('./main.ts', import.meta.url);
  const built = new URL('../dist/cli/main.js', import.meta.url);
  keepCompiled();
  await import(existsSync(source) ? source.href : built.href);
}

/**
 * Not on Windows, and not below a parent with a channel, such as `node --watch`: a restart would close the channel. Nor with sockets
 * that were passed to this process: a restart would close them, too. The unit for systemd has the settings itself.
 */
function canRestart() {
  const hasSockets = process.env.LISTEN_PID === String(process.pid);
  return process.platform !== 'win32' && process.channel === undefined && !hasSockets;
}

/** Runs the same process again, with the settings that act only from its start. */
function restart() {
  const args = [...V8_FLAGS, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, [process.execPath, ...args], { ...ENVIRONMENT, ...process.env });
}

/** The program of the npm package `node`, found as Node finds packages: in a clone, or beside the installed package. */
function installedNode() {
  let manifest;
  try {
    manifest = createRequire(import.meta.url).resolve('node/package.json');
  } catch {
    return null; // it is not installed
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const program = join(dirname(manifest), 'bin', 'node');
  // An older one would start this file again, and that the older one.
  return isOlderNode(version) || !existsSync(program) ? null : program;
}

async function handOver(node) {
  if (node === null) {
    console.error(NEEDS_NODE);
    process.exit(2);
  }
  const { spawn } = await import('node:child_process'); // here, because it takes 10 ms to load
  const args = [...V8_FLAGS, process.argv[1], ...process.argv.slice(2)]; // the path as it was called: advice names it
  // The channel closes with this process, even by kill -9, and the child then ends (leaveWithParent). `detached` gives the
  // child a session of its own: a signal to this whole group, Ctrl-C included, reaches the child once, from here. It can
  // still read the terminal.
  const child = spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...ENVIRONMENT, ...process.env },
    detached: true,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGCONT']) process.on(signal, () => child.kill(signal));
  process.on('SIGTSTP', () => {
    child.kill('SIGSTOP');
    process.kill(process.pid, 'SIGSTOP');
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
