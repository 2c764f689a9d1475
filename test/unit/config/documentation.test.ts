import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allSettings } from '../../../src/config/json-schema.ts';
import { KEY_VARIABLES, SETTING_VARIABLES } from '../../../src/config/variables.ts';
import { JOB_NAMES } from '../../../src/domain/jobs/job.ts';
import { packageFile } from '../../../src/package-root.ts';
import { DIAGNOSES } from '../../../src/receive/diagnose/advice.ts';
import { SIGNATURE_FAILURES } from '../../../src/receive/signature.ts';

const configuration = readFileSync(packageFile('docs/configuration.md'), 'utf8');
const commandLine = readFileSync(packageFile('docs/cli.md'), 'utf8');

test('docs/configuration.md has every setting in the table of its section', () => {
  const missing = allSettings().filter((setting) => {
    const [section, name] = setting.includes('.') ? setting.split('.') : ['Top level', setting];
    const heading = section === 'Top level' ? '### Top level' : `### \`${section}\``;
    const [, text = ''] = configuration.split(`${heading}\n`);
    return !(text.split('\n### ')[0] ?? '').includes(section === 'keys' ? `keys.${name}` : `| \`${name}\` |`);
  });
  expect(missing).toEqual([]);
});

test('docs/configuration.md has every environment variable', () => {
  const names = [
    ...Object.keys(SETTING_VARIABLES),
    ...KEY_VARIABLES.flatMap((each) => [each.publicKey, each.secretKey]),
  ];
  expect(names.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
});

test('docs/operations.md has every job in the table of the schedule', () => {
  const operations = readFileSync(packageFile('docs/operations.md'), 'utf8');
  const [, jobs = ''] = operations.split('\n| Job | Default | Does |\n');
  expect(JOB_NAMES.filter((name) => !jobs.split('\n\n')[0]?.includes(`| \`${name}\` |`))).toEqual([]);
});

test('docs/cli.md has every refusal and every verdict of verify', () => {
  expect([...SIGNATURE_FAILURES, ...DIAGNOSES].filter((code) => !commandLine.includes(`\`${code}\``))).toEqual([]);
});
