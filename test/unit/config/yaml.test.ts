import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../../../src/config/problems.ts';
import { readYaml } from '../../../src/config/yaml.ts';
import { temporaryFolder } from '../../support/receiver.ts';

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
