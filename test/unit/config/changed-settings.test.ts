import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsNotReloaded } from '../../../src/config/changed-settings.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { SECRET, secretOf } from '../../support/consumer-secret.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
const target = (name: string, secret: string, more = '') =>
  `{name: ${name}, url: 'https://x.example/', secrets: ['${secret}']${more}}`;
const targets = (...all: string[]) => `forward: {targets: [${all.join(', ')}]}`;

function configOf(...lines: string[]) {
  writeFileSync(join(folder, 'tallyhook.yaml'), `${lines.join('\n')}\n`);
  return loadConfig({ file: join(folder, 'tallyhook.yaml'), env: {}, cwd: folder });
}
const shop = target('shop', SECRET);
const key = (secret: string) =>
  `keys: {test: [{publicKey: ${'pk_test_'.padEnd(40, 'a')}, secretKey: ${'sk_test_'.padEnd(40, secret)}}]}`;

test.each([
  ['nothing', [targets(shop)], [targets(shop)], []],
  [
    'keys and the secrets of targets',
    [key('a'), targets(shop)],
    [key('b'), targets(target('shop', secretOf('b')))],
    [],
  ],
  [
    'a setting of a target',
    [targets(shop)],
    [targets(target('shop', SECRET, ', concurrency: 9'))],
    ['forward.targets[shop].concurrency'],
  ],
  [
    'a target that is new, before the others',
    [targets(shop)],
    [targets(target('books', secretOf('b')), shop)],
    ['forward.targets[books]'],
  ],
  ['a target that is gone', [targets(shop)], ['log: {level: info}'], ['forward.targets[shop]']],
  [
    'other settings',
    ['log: {level: info}'],
    ['log: {level: debug}', 'receiver: {port: 4700}'],
    ['receiver.port', 'log.level'],
  ],
  [
    'a secret of another setting',
    ['admin: {token: q7Rk2mXw9ZpL4vTn8bYc3hJd6sFg1uEa}'],
    ['admin: {token: a1Ue9gFs6dJh3cYb8nTv4LpZ7wXm2kRq}'],
    ['admin.token'],
  ],
])('%s', (_case, before, after, expected) => {
  expect(settingsNotReloaded(configOf(...before), configOf(...after)).toSorted()).toEqual(expected.toSorted());
});
