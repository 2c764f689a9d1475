import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { lackingLine, leftOutLine, missingPackages, TOOLS } from '../support/tools.ts';

const without = (...missing: string[]) => TOOLS.map((tool) => ({ ...tool, isThere: !missing.includes(tool.tag) }));

test.each<[string, string[], string[][], string | null]>([
  ['nothing is missing', [], [], null],
  ['a tool is missing that no test needed', ['strace'], [['curl']], null],
  [
    'several tests of two tools',
    ['strace', 'chromium'],
    [['strace'], ['chromium'], ['strace']],
    'Left out: 2 tests that need strace, 1 that needs Chromium (apt-get install strace chromium-headless-shell).',
  ],
  [
    'a test that needs both counts once',
    ['strace', 'curl'],
    [['curl', 'strace']],
    'Left out: 1 test that needs strace (apt-get install strace).',
  ],
  ['no package helps', ['mounts'], [['mounts']], 'Left out: 1 test that needs the right to mount.'],
])('what was left out is said in one line: %s', (_what, missing, tags, expected) => {
  expect(leftOutLine(tags, without(...missing))).toBe(expected);
});

test('no test is left out in the sources', () => {
  const sources = globSync('test/**/*.ts', { cwd: packageFile() });
  const leavesOut = /\b(test|it|describe|suite)(\.\w+)*\.(skip|todo|only|skipIf|runIf)\b/;
  expect(sources.filter((path) => leavesOut.test(readFileSync(join(packageFile(), path), 'utf8')))).toEqual([]);
});

test('what the gate lacks and cannot be given is one line, before anything runs', () => {
  const missing = without('hledger', 'chromium', 'promtool', 'root');
  expect(lackingLine(without('hledger', 'promtool'), true)).toBeNull();
  expect(lackingLine(missing, true)).toBe('The gate needs what this machine lacks: the rights of root.');
  expect(lackingLine(missing, false)).toBe(
    'The gate needs what this machine lacks: Chromium, hledger, the rights of root. Run: sudo apt-get install chromium-headless-shell hledger',
  );
});

test('the gate asks for the packages of what the suite needs, and not for what the long tests alone need', () => {
  expect(missingPackages(without('hledger', 'chromium', 'promtool', 'mounts'))).toEqual([
    'chromium-headless-shell',
    'hledger',
  ]);
  const longTags = TOOLS.flatMap(({ tag, isForLong }) => (isForLong ? [tag] : []));
  const ofSuite = globSync('test/{unit,contract,conformance,integration}/**/*.ts', { cwd: packageFile() });
  const needs = new RegExp(`tags: \\[[^\\]]*'(${longTags.join('|')})'`);
  expect(ofSuite.filter((path) => needs.test(readFileSync(join(packageFile(), path), 'utf8')))).toEqual([]);
});
