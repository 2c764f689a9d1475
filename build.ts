import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';

/*
 * `npm run build`: dist/, what the package holds of src/ and cli/. The modules are put together into one file per group that is
 * loaded together; nothing is renamed or compressed, so that a stack trace names functions
 * of the sources, and a comment above each of them names its file. Of the declarations those are kept that the exports reach.
 */

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
type Manifest = { exports: Record<string, string | { default: string }>; dependencies: Record<string, string> };
const { exports, dependencies }: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The files of the package's exports, by their path in src/ without extension. */
const exported = Object.values(exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default.replace('./dist/', '').replace(/\.js$/, '')],
);
/** Files that are found by their path: the command line, what it gives to yargs, threads and processes. */
const found = [
  ...['cli/main', 'cli/show/width'],
  ...globSync('src/**/{thread,*-thread,*-process}.ts', { cwd: ROOT }).map((file) => file.slice(0, -'.ts'.length)),
];

if (import.meta.main) {
  rmSync(DIST, { recursive: true, force: true });
  await bundle(DIST);
  declare();
}

/** Puts the modules together in a folder beside package.json and `cli/`. `more`: entries beside those of the package. */
export async function bundle(dist: string, more: readonly string[] = []): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries([...exported, ...found, ...more].map((name) => [name, `${name}.ts`])),
    platform: 'node',
    // The packages that are installed with ours; any other that the sources import ends the build.
    external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
    transform: { target: 'es2024' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await build.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    minifyInternalExports: false,
    // The first import is evaluated first: on an older Node a package would fail with words of its own.
    banner: ({ name }) => (exported.includes(name) ? `import '${pathFrom(name, 'cli/needed-node.js')}';` : ''),
  });
  await build.close();
}

/** The path of a file of the package, from a file of dist/. */
function pathFrom(name: string, file: string): string {
  return relative(dirname(join(DIST, name)), join(ROOT, file))
    .split(sep)
    .join('/');
}

/** Writes the declarations of the exports, and of every file that they name. */
function declare(): void {
  const all = mkdtempSync(join(tmpdir(), 'tallyhook-declarations-'));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', all];
  const { status } = spawnSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  const reached = new Set<string>();
  for (const name of exported) reach(join(all, `${name}.d.ts`), reached);
  for (const file of reached) cpSync(file, join(DIST, relative(all, file)));
  rmSync(all, { recursive: true });
}

function reach(file: string, reached: Set<string>): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g))
    reach(resolve(dirname(file), `${name}.d.ts`), reached);
}
