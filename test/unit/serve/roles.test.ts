import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { doingOf } from '../../../src/serve/roles.ts';

const CLUSTER = { TALLYHOOK_CLUSTER_URL: 'postgres://app@127.0.0.1/log' };
const configOf = (roles: string, env: Record<string, string> = CLUSTER) =>
  loadConfig({ env: { ...env, TALLYHOOK_CLUSTER_ROLES: roles }, cwd: '/' });
const page = 'https://shop.example/paid';

test('a machine does everything, or of several what its roles say', () => {
  expect(doingOf(loadConfig({ env: {}, cwd: '/' }), {})).toMatchObject({ receives: true, works: true });
  expect(doingOf(configOf('receive'), {})).toMatchObject({ receives: true, works: false });
  expect(doingOf(configOf(' work '), { sockets: { admin: 3 } })).toMatchObject({ receives: false, works: true });
});

test.each([
  ['a machine alone', configOf('receive', {}), {}, 'cluster.url is not set'],
  ['a program with the receiver in it', configOf('work'), { host: {} as never }, 'gets the confirmed news'],
  ['a callback', { ...configOf('receive'), callback: { ...configOf('receive').callback, page } }, {}, 'callback.page'],
  ['a passed socket', configOf('work'), { sockets: { receiver: 3 } }, 'a socket for the receiver'],
])('one role alone is refused for %s, with the reason', (_what, config, parts, reason) => {
  expect(() => doingOf(config, parts)).toThrow(reason);
});

test.each(['', 'both', 'receive,receive', 'work;receive'])('the roles %j are refused', (roles) => {
  expect(() => configOf(roles)).toThrow('must be one or both of receive, work');
});
