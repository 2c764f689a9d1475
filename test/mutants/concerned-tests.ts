import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFile } from '../../src/package-root.ts';

/** Imports of values: an import of types alone runs nothing of the file. */
const IMPORT = /^(?:import|export) (?!type\b)[^'"`;]*?\bfrom\s*'(\.[^']+)'/gm;

/**
 * Returns a function from a source file to the unit tests that concern it, as paths inside the repository, the nearest first:
 * its own test, the tests that import it, and those of the sources of its room that use it. No test is in two groups.
 */
export function concernedTests(): (file: string) => string[][] {
  const tests = importsOf('test/unit/**/*.test.ts');
  const sources = importsOf('src/**/*.ts');
  const importing = (imports: Map<string, string[]>, file: string) =>
    [...imports].filter(([, names]) => names.includes(file)).map(([path]) => path);
  const ownTest = (file: string) => file.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts');
  /** Sources of the same room that use a file; one that no test imports is a part of those that use it in turn. */
  const usersOf = (file: string, known = new Set<string>()): Set<string> => {
    const users = importing(sources, file).filter((path) => roomOf(path) === roomOf(file) && !known.has(path));
    for (const user of users) {
      known.add(user);
      if (importing(tests, user).length === 0) usersOf(user, known);
    }
    return known;
  };
  const testsBeside = (file: string) => importing(tests, file).filter((path) => roomOf(path) === roomOf(ownTest(file)));
  return (file) => {
    const groups = [[ownTest(file)], importing(tests, file), [...usersOf(file)].flatMap(testsBeside)].map((group) =>
      [...new Set(group)].filter((path) => tests.has(path)),
    );
    return groups
      .map((group, at) => group.filter((path) => !groups.slice(0, at).flat().includes(path)))
      .filter((group) => group.length > 0);
  };
}

/** `src/domain` of `src/domain/records/observe.ts`, `test/unit/domain` of its test. */
function roomOf(file: string): string {
  return /^(?:src|test\/unit)\/[^/]+/.exec(file)?.[0] ?? dirname(file);
}

function importsOf(pattern: string): Map<string, string[]> {
  const paths = globSync(pattern, { cwd: packageFile() }).toSorted();
  return new Map(
    paths.map((path) => {
      const imports = readFileSync(packageFile(path), 'utf8').matchAll(IMPORT);
      return [path, [...imports].map(([, name = '']) => join(dirname(path), name))];
    }),
  );
}
