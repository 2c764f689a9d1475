import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { SECTIONS } from '../support/conformance.ts';
import { conformanceDocument, conformanceTests, unknownRows, unprovedRows } from '../support/conformance-document.ts';

const tests = conformanceTests();

test('every section of the interface has a test', () => {
  const without = SECTIONS.filter(({ section }) => !tests.some((each) => each.section === section));
  expect(without.map(({ section, title }) => `${section} ${title}`)).toEqual([]);
});

test('every row, rule, field and error of the interface has a test', () => {
  expect(unprovedRows(tests)).toEqual([]);
});

test('no test names a row that the interface does not have', () => {
  expect(unknownRows(tests)).toEqual([]);
});

test('docs/conformance.md is current (update it with: npx vitest run conformance -u)', async () => {
  await expect(conformanceDocument(tests)).toMatchFileSnapshot(packageFile('docs/conformance.md'));
});
