import { expect, test } from 'vitest';
import { publicAddress } from '../../../../../cli/commands/init/public-address.ts';

test.each([
  ['https://hooks.example.com', 'hooks.example.com', '443'],
  ['https://hooks.example.com:8443', 'hooks.example.com', '8443'],
  ['https://Hooks.Example.com/', 'hooks.example.com', '443'],
])('%s has the name %s and the port %s', (url, name, port) => {
  expect(publicAddress(url)).toMatchObject({ name, port });
});

test.each([
  ['https://203.0.113.7', /not an IP address/],
  ['https://[2001:db8::7]:8443', /not an IP address/],
  ['https://0x7f.1', /not an IP address/], // a URL reads it as 127.0.0.1
  ['https://localhost', /a name that the whole internet knows/],
  ['https://hooks.example.com.', /a name that the whole internet knows/],
  ['http://hooks.example.com', /needs the https:\/\/ address/],
  ['https://user@hooks.example.com', /needs the https:\/\/ address/],
  ['https://hooks.example.com/webhooks', /without a path/],
  ['hooks.example.com', /needs the https:\/\/ address/],
])('%s is refused', (url, why) => {
  expect(() => publicAddress(url)).toThrow(why);
});
