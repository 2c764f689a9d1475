import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkModes } from '../../../../../cli/commands/doctor/modes-check.ts';
import { loadConfig } from '../../../../../src/config/load.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const SECRET = 'sk_test_0123456789abcdef';
const yaml = (secret: string) => `keys:\n  test:\n    - publicKey: pk_test_1\n      secretKey: ${secret}\n`;

function judged(text: string, mode: number) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret'), SECRET, { mode });
  const file = join(folder, 'tallyhook.yaml');
  writeFileSync(file, text, { mode });
  const checks = checkModes(loadConfig({ file, env: { KEY: SECRET }, cwd: folder }));
  return checks.map(({ status, detail, hint }) => [
    detail.includes('yaml') ? 'yaml' : 'secret',
    status,
    hint?.split(' /')[0],
  ]);
}

const WARNING = ['warning', 'It holds secrets: chmod 600'];

test.each<[string, string, number, unknown[][]]>([
  ['a secret key in plain text that everybody can read', yaml(SECRET), 0o644, [['yaml', ...WARNING]]],
  ['the same for this user only', yaml(SECRET), 0o600, [['yaml', 'ok', undefined]]],
  [
    'the file of a secret that everybody can read',
    yaml('{ file: ./secret }'),
    0o644,
    [
      ['yaml', 'ok', undefined],
      ['secret', ...WARNING],
    ],
  ],
  ['a secret that stands elsewhere', yaml('$' + '{KEY}'), 0o644, [['yaml', 'ok', undefined]]],
])('%s', (_name, text, mode, expected) => {
  expect(judged(text, mode)).toEqual(expected);
});
