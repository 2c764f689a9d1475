import { expect, test } from 'vitest';
import { baseUrlProblem, isLoopback } from '../../../../src/domain/requests/base-url.ts';

const NO_URL = 'must be a URL that starts with https://';
const PLAIN = 'must start with https://, because secret keys travel to this address';
const CREDENTIALS = 'must not carry a user name or password';
const QUERY = 'must not carry a query or fragment';

test.each([
  ['https://api.example.com', null],
  ['https://api.example.com:8443/v1/', null],
  ['http://localhost:4010', null],
  ['http://127.0.0.1:4010/v1', null],
  ['http://[::1]:4010', null],
  ['', NO_URL],
  ['api.example.com', NO_URL],
  ['ftp://api.example.com', NO_URL],
  ['httpss://api.example.com', NO_URL],
  ['xhttp://localhost', NO_URL],
  ['http://api.example.com', PLAIN],
  ['http://192.168.0.1', PLAIN],
  ['https://user@api.example.com', CREDENTIALS],
  ['https://:password@api.example.com', CREDENTIALS],
  ['https://api.example.com?page=1', QUERY],
  ['https://api.example.com/#refunds', QUERY],
])('the base address %j', (value, problem) => {
  expect(baseUrlProblem(value)).toBe(problem);
});

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.255.255.255', true],
  ['127.249.199.9', true],
  ['::1', true],
  ['[::1]', true],
  ['127.0.0.256', false],
  ['127.0.1', false],
  ['127.0.0.1.example.com', false],
  ['1127.0.0.1', false],
  ['128.0.0.1', false],
  ['localhost.example.com', false],
  ['::2', false],
  ['0.0.0.0', false],
  ['', false],
])('whether %j is this machine', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
