import { describe, expect, test } from 'vitest';
import { concernedTests } from '../mutants/concerned-tests.ts';
import { describeMutant, mutantsOf, withChange } from '../mutants/mutator.ts';

/** Every mutant of one line, as the text that the program would have. */
const mutated = (source: string) => mutantsOf('a.ts', source).map((mutant) => withChange(source, mutant));

describe('the mutants of a source', () => {
  test.each([
    ['x = a === b;', [';', 'x = a !== b;']],
    ['x = a < b;', [';', 'x = a <= b;', 'x = a >= b;']],
    ['x = (a) > (b);', [';', 'x = (a) >= (b);', 'x = (a) <= (b);']],
    ['x = a && b;', [';', 'x = a || b;']],
    ['x = a ?? b;', [';', 'x = (a);', 'x = (b);']],
    ['x = !a;', [';', 'x = a;']],
    ['x = true;', [';', 'x = false;']],
    ['x = 0;', [';', 'x = 1;', 'x = (-1);']],
    ['x = 10n;', [';', 'x = 11n;', 'x = (9n);']],
    ["x = 'failed';", [';', "x = '';"]],
    ["x = '';", [';', "x = 'other';"]],
    ['x++;', [';', 'x--;']],
    ['x += a;', [';', 'x -= a;']],
    ['x = a.some(b);', [';', 'x = a.every(b);']],
    ['x = Math.min(a, b);', [';', 'x = Math.max(a, b);']],
    ['x = a.toSorted(b);', [';', 'x = a;']],
    ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    ['x = a ? b : c;', [';', 'x = true ? b : c;', 'x = false ? b : c;']],
    ['while (a) b();', ['while (false) b();', 'while (a) ;']],
    ['for (const a of b) break;', ['for (const a of b) ;']],
    ['const f = () => { return a; };', ['const f = () => { ; };']],
  ])('%s', (source, expected) => {
    expect(mutated(source)).toEqual(expected);
  });

  test.each([
    ["import a from 'b';"],
    ["type A = 'failed' | true | 1;"],
    ['interface A { readonly a: true; b(c: 1): 2 }'],
    ["const a: 'failed' = b as 'failed';"],
    ['const a = { failed: b, 1: c };'],
    ["const a = 'A sentence for people.';"],
    ['/** a < b && c */ // a === b'],
  ])('has none of what vanishes before the run, or is wording: %s', (source) => {
    expect(mutated(source)).toEqual([]);
  });

  test('reach values inside a note of their type', () => {
    expect(mutated("const a = ['failed'] as const satisfies string[];")).toEqual([
      "const a = [''] as const satisfies string[];",
    ]);
  });
});

test('a mutant is shown with file, line and change', () => {
  const source = 'function f() {\n  return a < b;\n}\n';
  const shown = mutantsOf('src/f.ts', source).map((mutant) => describeMutant(mutant, source));
  expect(shown).toEqual([
    'src/f.ts:2  ⟦return a < b; → ;⟧',
    'src/f.ts:2  return a ⟦< → <=⟧ b;',
    'src/f.ts:2  return a ⟦< → >=⟧ b;',
  ]);
});

const concerning = concernedTests();

test('a source is judged by its own test first, then by those that import it, then by those of its users', () => {
  const groups = concerning('src/domain/records/lifecycle.ts');
  expect(groups).toHaveLength(3);
  const [own, direct, users] = groups;
  expect(own).toEqual(['test/unit/domain/records/lifecycle.test.ts']);
  expect(direct).toContain('test/unit/confirm/leased-checks.test.ts');
  expect(users).toContain('test/unit/domain/findings/observed-findings.test.ts');
  expect(new Set(groups.flat()).size).toBe(groups.flat().length);
});

test('a source that no test imports is a part of the sources of its room that use it, and has their tests', () => {
  const groups = concerning('src/domain/matching/terms.ts');
  expect(groups.flat()).toContain('test/unit/domain/matching/judge.test.ts');
});
