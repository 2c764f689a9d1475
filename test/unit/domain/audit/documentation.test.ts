import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACTS } from '../../../../src/domain/audit/acts.ts';
import { AUDIT_REASONS } from '../../../../src/domain/audit/fault.ts';
import { packageFile } from '../../../../src/package-root.ts';

const read = (name: string) => readFileSync(packageFile('docs', name), 'utf8');

test('docs/cli.md has every reason why a chain is bad', () => {
  const text = read('cli.md');
  expect(AUDIT_REASONS.filter((reason) => !text.includes(`\n| \`${reason}\` |`))).toEqual([]);
});

test('docs/data-model.md says what every act enters', () => {
  const [, chain = ''] = read('data-model.md').split('## The audit chain\n');
  const [table = ''] = chain.split('The digest of a subject');
  // Of an exception it names one act for all.
  const acts = ACTS.filter((act) => !act.startsWith('exception.') || act === 'exception.assign');
  expect(acts.filter((act) => !table.includes(`\`${act}\``))).toEqual([]);
});
