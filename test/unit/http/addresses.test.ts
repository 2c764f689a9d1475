import { expect, test } from 'vitest';
import { addressProblem, classOf, targetUrlProblem } from '../../../src/http/addresses.ts';

const STRICT = { allowPrivate: false, allowHttp: false };
const LOOSE = { allowPrivate: true, allowHttp: true };

test.each([
  ['8.8.8.8', 'public'],
  ['2606:4700::1', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12:3456::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:0a00:0001', 'private'],
  ['169.254.169.254', 'refused'],
  ['::ffff:169.254.169.254', 'refused'],
  ['::ffff:a9fe:a9fe', 'refused'],
  ['::169.254.169.254', 'refused'],
  ['64:ff9b::169.254.169.254', 'refused'],
  ['64:ff9b::10.0.0.1', 'refused'],
  ['2002:a9fe:a9fe::1', 'refused'],
  ['2001:0:4136:e378:8000:63bf:5601:5601', 'refused'],
  ['::ffff:0:169.254.169.254', 'refused'],
  ['fe80::1%eth0', 'refused'],
  ['fd00:ec2::254', 'refused'],
  ['fd20:ce::254', 'refused'],
  ['100.100.100.200', 'refused'],
  ['168.63.129.16', 'refused'],
  ['0.0.0.0', 'refused'],
  ['::', 'refused'],
  ['224.0.0.1', 'refused'],
  ['255.255.255.255', 'refused'],
  ['no address', 'refused'],
])('%s is %s', (address, expected) => {
  expect(classOf(address)).toBe(expected);
});

// Every spelling that a URL allows for the same four bytes, and for an address of IPv6 that leads to them.
test.each([
  'http://169.254.169.254/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0xa9.0xfe.0xa9.0xfe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.16689662/',
  'http://169.254.169.254./',
  'http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
  'https://[::ffff:169.254.169.254]/',
  'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://METADATA.google.internal./',
])('%s is refused, also where everything is allowed', (url) => {
  expect(targetUrlProblem(url, LOOSE)).toMatch(/never allowed/);
});

test.each([
  ['https://shop.example/hook', STRICT, null],
  ['http://localhost:3000/hook', STRICT, null],
  ['http://127.0.0.1/', STRICT, null],
  ['http://[::1]:8080/', STRICT, null],
  ['http://shop.example/', STRICT, 'must start with https://, unless it is on this machine or allowHttp is set'],
  ['http://shop.example/', { ...STRICT, allowHttp: true }, null],
  ['https://10.0.0.1/', STRICT, 'is a private address, which allowPrivate allows'],
  ['https://10.0.0.1/', { ...STRICT, allowPrivate: true }, null],
  ['http://10.0.0.1/', { ...STRICT, allowPrivate: true }, 'must be reached with https://, or allowHttp'],
  ['https://user@shop.example/', STRICT, 'must not carry a user name or password'],
  ['https://shop.example/#a', STRICT, 'must not carry a fragment'],
  ['ftp://shop.example/', STRICT, 'must be a URL that starts with https://'],
  ['shop.example', STRICT, 'must be a URL that starts with https://'],
] as const)('%s', (url, policy, expected) => {
  expect(targetUrlProblem(url, policy)).toBe(expected);
});

test('a name that leads to loopback is allowed, also without TLS; one that leads elsewhere is not', () => {
  expect(addressProblem('127.0.0.1', 'http:', STRICT)).toBeNull();
  expect(addressProblem('8.8.8.8', 'http:', STRICT)).not.toBeNull();
  expect(addressProblem('8.8.8.8', 'https:', STRICT)).toBeNull();
});
