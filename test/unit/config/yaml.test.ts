import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import type { Problem } from '../../../src/config/problems.ts';
import { readYaml } from '../../../src/config/yaml.ts';
import { temporaryFolder } from '../../support/folder.ts';

const file = join(temporaryFolder(), 'tallyhook.yaml');

test.each([
  ['receiver:\n  port: 1\n host: x\n', /the line is indented too little or too much|two settings share a line/],
  ['a: b: c\n', /two settings share a line, or a text has a colon/],
  ['a: 1\na: 2\n', /the name occurs twice at this level/],
  ['a:\n\tb: 1\n', /indent with spaces; a tab is not allowed/],
  ['a: [1\n', /a \] or \} is missing above/],
  ['sweep: * * * * *\n', /write what begins with \* in quotes/],
])('%j is explained without quoting the line', (text, rule) => {
  const problems: Problem[] = [];
  writeFileSync(file, text);
  expect(readYaml(file, problems, new Set())).toEqual({});
  expect(problems[0]?.rule).toMatch(rule);
  for (const problem of problems)
    expect(problem.rule).toMatch(/^is (not valid YAML|an alias \(\*…\) [a-z ]+): [a-z][^_]+$/);
});

test('aliases that stand for billions of values are a mistake of the file, found at once; some aliases are none', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let n = 1; n < 12; n++)
    bomb.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(', ')}]`,
    );
  const problems: Problem[] = [];
  writeFileSync(file, bomb.join('\n'));
  expect(readYaml(file, problems, new Set())).toEqual({});
  expect(problems.map(({ rule }) => rule)).toEqual([
    'stands for more than 10000 values, with the aliases (*…) in it written out',
  ]);
  const many: Problem[] = [];
  writeFileSync(file, `a: &a 1\nb: [${Array(2_000).fill('*a').join(', ')}]`);
  expect(readYaml(file, many, new Set())).toMatchObject({ a: 1 });
  expect(many).toEqual([]);
});

test('a configuration that is a pipe without a writer is refused with its name, and not waited for', () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'pipe.yaml');
  spawnSync('mkfifo', [pipe]);
  const load = (path: string) => () => loadConfig({ file: path, env: {}, cwd: folder });
  expect(load(pipe)).toThrow(/pipe\.yaml[\s\S]*cannot be read: it is no file/);
  writeFileSync(join(folder, 'large.yaml'), `# ${'x'.repeat(1024 * 1024)}`);
  expect(load(join(folder, 'large.yaml'))).toThrow(/large\.yaml[\s\S]*it is larger than 1 MiB/);
  spawnSync('mkfifo', [join(folder, '.env')]);
  writeFileSync(join(folder, 'sound.yaml'), 'database: a.db');
  expect(load(join(folder, 'sound.yaml'))).toThrow(/\.env.*cannot be read: it is no file/);
});
