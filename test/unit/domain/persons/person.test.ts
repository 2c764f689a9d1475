import { expect, test } from 'vitest';
import { TALLYHOOK } from '../../../../src/domain/audit/entry.ts';
import {
  keptName,
  mixedScripts,
  nameProblem,
  samePerson,
  userNameProblem,
} from '../../../../src/domain/persons/person.ts';

test('a name is kept trimmed and composed', () => {
  expect(keptName('  Ade\u0301  Obi\n')).toBe('Ad\u00e9  Obi');
});

test.each<[string, string, string | null]>([
  ['an ordinary name', 'Ada Obi', null],
  ['a name of 100 characters', 'x'.repeat(100), null],
  ['a name of 101', 'x'.repeat(101), 'has 101 characters; 100 are allowed'],
  ['nothing', '', 'is empty'],
  ['a line break', 'Ada\nObi', 'has a character that cannot be seen (U+000A)'],
  ['a space without width', 'Ada\u200bObi', 'has a character that cannot be seen (U+200B)'],
  ['a tag beyond 16 bits', 'Ada\u{e0041}', 'has a character that cannot be seen (U+E0041)'],
  ['the program itself', 'tallyhook', 'is tallyhook, which stands for the runs and jobs of the program'],
  ['the program in other letters', 'TALLYHOOK', 'is TALLYHOOK, which stands for the runs and jobs of the program'],
])('%s as a name of a person', (_case, name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

test('a user is named by what an address of a page can hold', () => {
  const isRefused = (name: string) => userNameProblem(name) !== null;
  expect(['.', '..', 'a/b', '/', 'tallyhook'].filter((name) => !isRefused(name))).toEqual([]);
  expect(['Ada', '...', 'a.b', '.a', 'a\\b', '100%', 'Ada Obi'].filter(isRefused)).toEqual([]);
});

test.each<[string, string, boolean]>([
  ['Ada', 'ada ', true],
  ['Ada', '\uff21\uff44\uff41', true],
  ['Ada  Obi', 'ada obi', true],
  ['Stra\u00dfe', 'STRASSE', true],
  ['\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2', '\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3', true],
  ['Ada', 'Ade', false],
  ['Ada Obi', 'AdaObi', false],
  [TALLYHOOK, 'Ada', false],
])('%j and %j are one person: %s', (one, other, same) => {
  expect(samePerson(one, other)).toBe(same);
});

test.each<[string, string, readonly string[]]>([
  ['one script', 'Ada Obi', []],
  ['a Cyrillic letter in a Latin word', 'Ada \u041ebi', ['Latin', 'Cyrillic']],
  ['each word in a script of its own', 'Ada \u0410\u0434\u0430', []],
  ['a script that looks like no other', 'Ada\u4e2d', []],
])('%s: the scripts that a word mixes', (_case, name, scripts) => {
  expect(mixedScripts(name)).toEqual(scripts);
});
