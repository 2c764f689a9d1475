import { expect, test } from 'vitest';
import { passedSockets } from '../../../src/serve/sockets.ts';

test.each([
  ['3', 'receiver:admin', /LISTEN_FDS says 3, and LISTEN_FDNAMES names 2/],
  ['2', '', /LISTEN_FDS says 2, and LISTEN_FDNAMES names 0/],
  ['two', 'receiver:admin', /LISTEN_FDS is "two", which is no count/],
])('LISTEN_FDS=%s with LISTEN_FDNAMES=%s is refused', (LISTEN_FDS, LISTEN_FDNAMES, why) => {
  const env = { LISTEN_PID: '7', LISTEN_FDS, LISTEN_FDNAMES };
  expect(() => passedSockets(env, { pid: 7, ppid: 6 })).toThrow(why);
});
