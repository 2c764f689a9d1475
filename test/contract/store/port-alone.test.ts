import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-root.ts';

const root = packageFile();
const IMPORT = /\bfrom\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE TABLE)\b/;

const suite = globSync('test/contract/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('port-alone.test.ts'));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** The files and packages that `paths` import, and what these import, without what is behind the door to an engine. */
function reached(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    // Matching computes in a database of its own, which is the same under every engine.
    if (path === 'src/store/open.ts' || path.startsWith('src/store/scratch/') || !path.endsWith('.ts')) continue;
    // What carries the writes of an engine out again is that engine's half of the suite.
    if (/^test\/support\/(carried-twice|shared-log)\//.test(path)) continue;
    for (const [, name = '', dynamic = ''] of textOf(path).matchAll(IMPORT)) {
      const imported = name || dynamic;
      waiting.push(imported.startsWith('.') ? relative('.', join(dirname(path), imported)) : imported);
    }
  }
  return found;
}

test('the suite reaches an engine through its one door', () => {
  const all = reached(suite);
  expect(suite.length).toBeGreaterThan(15);
  expect(all).toContain('src/store/open.ts');
  expect([...all].filter((path) => /^src\/store\/sqlite\/|^better-sqlite3$/.test(path))).toEqual([]);
});

test('the suite knows no SQL', () => {
  expect(suite.filter((path) => SQL.test(textOf(path)))).toEqual([]);
});
