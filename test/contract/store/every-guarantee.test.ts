import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUARANTEES } from './guarantees/all.ts';

test('every group of guarantees is proved, in one file', () => {
  const files = globSync('*.test.ts', { cwd: import.meta.dirname }).map((name) => join(import.meta.dirname, name));
  const calls = files.flatMap((file) => readFileSync(file, 'utf8').match(/^proveGuarantees\(.*\);$/gm) ?? []);
  const proved = calls.flatMap((call) => [...call.matchAll(/'(\w+)'/g)].map(([, group]) => group));
  expect(calls).toHaveLength(5);
  expect(proved.toSorted()).toEqual(Object.keys(GUARANTEES).toSorted());
});
