import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { admitInTurns } from '../../../../src/serve/connections/admission.ts';

/** A server of which connections are opened by name; notes which are read. */
function admitting() {
  const server = new EventEmitter();
  const read = new Set<string>();
  admitInTurns(server as Server);
  const open = (name: string) => {
    read.add(name);
    server.emit('connection', { pause: () => read.delete(name), resume: () => read.add(name) });
  };
  return { open, read };
}

test('of connections that arrive together one is read per turn, the newest first', async () => {
  const { open, read } = admitting();
  for (const name of ['a', 'b', 'c', 'd']) open(name);
  expect([...read]).toEqual(['a']);
  await turn();
  expect([...read]).toEqual(['a', 'd']);
  open('honest');
  await turn();
  expect([...read]).toEqual(['a', 'd', 'honest']);
  await turn();
  await turn();
  expect([...read]).toEqual(['a', 'd', 'honest', 'c', 'b']);
});

test('a connection that arrives alone is read at once', async () => {
  const { open, read } = admitting();
  open('one');
  await turn();
  open('another');
  expect([...read]).toEqual(['one', 'another']);
});
