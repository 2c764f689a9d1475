import { expect, test } from 'vitest';
import {
  asRole,
  readServerAddress,
  serverAddressProblem,
  splitPassword,
} from '../../../../src/domain/cluster/server-address.ts';

const near = (host: string, port = 5432) => ({ host, port, isEncrypted: false });
const far = (host: string, port = 5432) => ({ host, port, isEncrypted: true });

test.each([
  ['postgres://app@db.example.com/log', [far('db.example.com')]],
  ['postgresql://app@127.0.0.1:6000/log', [near('127.0.0.1', 6000)]],
  [
    'POSTGRES://app@db-1.example.com:6000,db-2.example.com/log',
    [far('db-1.example.com', 6000), far('db-2.example.com')],
  ],
  ['postgres://app@[::1]:65535/log', [near('::1', 65_535)]],
  ['postgres://app@/log?host=/run/postgresql&port=1', [near('/run/postgresql', 1)]],
  ['postgres://app@127.0.0.1/log?sslmode=verify-full', [far('127.0.0.1')]],
  ['postgres://app@localhost/log?connect_timeout=5', [near('localhost')]],
])('%s names its servers, and which of them are reached encrypted', (url, hosts) => {
  expect(readServerAddress(url)).toEqual({ hosts, role: 'app', database: 'log', password: null });
  expect(serverAddressProblem(url)).toBeNull();
});

test.each([
  ['mysql://app@db.example.com/log', /^must have the form postgres:/],
  ['db.example.com', /^must have the form postgres:/],
  ['postgres://db.example.com/log', /^must name the role/],
  ['postgres://app@db.example.com', /^must name the database/],
  ['postgres://app@db.example.com/log/more', /^must name the database/],
  ['postgres://app@/log', /^must name a host/],
  ['postgres://app@db.example.com:0/log', /a port that is not from 1 to 65535/],
  ['postgres://app@db.example.com:65536/log', /a port that is not from 1 to 65535/],
  ['postgres://app@/log?host=db.example.com&port=x', /a port that is not from 1 to 65535/],
  ['postgres://app@db.example.com/log?sslmode=disable', /always encrypted/],
  ['postgres://app@db.example.com/log?sslmode=require', /does not verify the name of the server/],
  ['postgres://app@db.example.com/log?options=-c', /a parameter other than/],
  ['postgres://a%pp@db.example.com/log', /no encoded character/],
  [`postgres://app@${Array(10).fill('h').join(',')}/log`, /^must name 1 to 9 hosts/],
])('%s is refused, and the rule shows nothing of it', (url, rule) => {
  expect(serverAddressProblem(url)).toMatch(rule);
  expect(serverAddressProblem(url)).not.toContain('example');
});

test('the password is kept apart, also one with signs of the address; another role goes in its place', () => {
  expect(splitPassword('postgres://app:p%40ss:word@db.example.com/log')).toEqual({
    url: 'postgres://app@db.example.com/log',
    password: 'p@ss:word',
  });
  expect(splitPassword('postgres://app@db.example.com/log').password).toBeNull();
  expect(asRole('postgres://app@db.example.com/log', 'de$letes')).toBe('postgres://de%24letes@db.example.com/log');
});
