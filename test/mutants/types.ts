import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../../src/package-root.ts';
import { type Mutant, withChange } from './mutator.ts';

const RELATIVE_IMPORT = /(?<=\bfrom ')\.[^']+(?=')/g;

/**
 * Returns the mutants that do not compile: such a change cannot land, so no test has to see it. Each is compiled as a copy of its file
 * outside of the repository. A file whose unchanged copy does not compile, as of a class that is compared by its private fields,
 * is left to the tests.
 *
 * @throws Error when the compiler does not run
 */
export function refusedByTypes(mutants: readonly Mutant[], sources: ReadonlyMap<string, string>): Set<Mutant> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'tallyhook-mutants-'));
  const write = (name: string, file: string, text: string) => {
    const absolute = text.replace(RELATIVE_IMPORT, (path) => packageFile(dirname(file), path));
    writeFileSync(join(folder.path, name), absolute);
  };
  const files = [...new Set(mutants.map(({ file }) => file))];
  const sourceOf = (file: string) => sources.get(file) ?? '';
  for (const [at, file] of files.entries()) write(`unchanged-${at}.mts`, file, sourceOf(file));
  for (const [at, mutant] of mutants.entries())
    write(`mutant-${at}.mts`, mutant.file, withChange(sourceOf(mutant.file), mutant));
  const configuration = {
    extends: packageFile('tsconfig.json'),
    // What is unused is no mistake of a program.
    compilerOptions: {
      typeRoots: [packageFile('node_modules/@types')],
      noUnusedLocals: false,
      noUnusedParameters: false,
      rewriteRelativeImportExtensions: false,
    },
    include: ['*.mts'],
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(configuration));
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const { error, stdout } = spawnSync(process.execPath, [compiler, '-p', folder.path, '--pretty', 'false'], {
    cwd: folder.path,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  const refused = new Set([...stdout.matchAll(/^((?:mutant|unchanged)-\d+)\.mts\(/gm)].map(([, name]) => name));
  return new Set(
    mutants.filter(({ file }, at) => refused.has(`mutant-${at}`) && !refused.has(`unchanged-${files.indexOf(file)}`)),
  );
}
