import { expect, test } from 'vitest';
import { proxyTest } from '../../../../src/serve/connections/proxies.ts';

test.each([
  [false, '127.0.0.1', true],
  [false, '::1', true],
  [false, '::ffff:127.0.0.9', true],
  [false, '192.0.2.1', false],
  [['192.0.2.1'], '192.0.2.1', true],
  [['192.0.2.1'], '::ffff:192.0.2.1', true],
  [['192.0.2.1'], '127.0.0.1', false],
  [['10.0.0.0/8'], '10.200.3.4', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['uniquelocal'], '172.31.0.1', true],
  [['uniquelocal'], '172.32.0.1', false],
  [['linklocal'], 'fe80::1%eth0', true],
  [['2001:db8::/32'], '2001:db8:1::9', true],
  [['2001:db8::/32'], '2001:db9::9', false],
] as const)('with trustProxy %j, %s is a proxy: %s', (trustProxy, address, expected) => {
  expect(proxyTest(trustProxy)(address)).toBe(expected);
});
