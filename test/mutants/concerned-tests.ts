import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFile } from '../../src/package-root.ts';

/** Imports of values: an import of types alone runs nothing of the file. */
const IMPORT = /^(?:import|export) (?!type\b)[^'"`;]*?\bfrom\s*'(\.[^']+)'/gm;

/**
 * Returns a function from a source file to the unit tests that concern it, as paths inside the repository, the nearest first:
 * its own test, the tests that import it, and the own tests of the sources of its room that import it. No test is in two groups.
 */
export function concernedTests(): (file: string) => string[][] {
  const tests = importsOf('test/unit/**/*.test.ts');
  const sources = importsOf('src/**/*.ts');
  const importing = (imports: Map<string, string[]>, file: string) =>
    [...imports].filter(([, names]) => names.includes(file)).map(([path]) => path);
  const ownTest = (file: string) => file.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts');
  return (file) => {
    const own = [ownTest(file)];
    const direct = importing(tests, file);
    const users = importing(sources, file)
      .filter((path) => dirname(path) === dirname(file))
      .map(ownTest);
    const groups = [own, direct, users].map((group) => group.filter((path) => tests.has(path)));
    return groups
      .map((group, at) => group.filter((path) => !groups.slice(0, at).flat().includes(path)))
      .filter((group) => group.length > 0);
  };
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
