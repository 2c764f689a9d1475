import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from './folder.ts';
import { until } from './wait.ts';

// The packed package, installed as docs/operations.md says: once in a run of the tests, in the folder of the run.

export interface InstalledPackage {
  /** A merchant's project whose only dependency is Tallyhook. */
  readonly folder: string;
  /** The paths of the files in the package. */
  readonly files: readonly string[];
}

/** Packs and installs the package, or waits for the test file that does. */
export async function installedPackage(): Promise<InstalledPackage> {
  const folder = join(tmpdir(), 'installed-package');
  const [done, failed] = [join(folder, 'packed-files.json'), join(folder, 'failed.txt')];
  if (isFirst(folder)) {
    try {
      writeFileSync(done, JSON.stringify(install(folder)));
    } catch (error) {
      writeFileSync(failed, String(error));
    }
  }
  await until(() => existsSync(done) || existsSync(failed), 'the package is installed', 170_000);
  if (existsSync(failed)) throw new Error(`The package was not installed: ${readFileSync(failed, 'utf8')}`);
  return { folder, files: JSON.parse(readFileSync(done, 'utf8')) };
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Returns the paths in the package. */
function install(folder: string): string[] {
  const packed = temporaryFolder();
  const report = run('npm', ['pack', '--json', '--pack-destination', packed], checkout());
  const [tarball = ''] = readdirSync(packed);
  describeProject(folder, join(packed, tarball));
  run('npm', ['ci', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], folder);
  // What a merchant has installed beside it.
  for (const name of ['@types', 'express', 'standardwebhooks']) {
    symlinkSync(packageFile('node_modules', name), join(folder, 'node_modules', name));
  }
  const [{ files }] = Object.values(JSON.parse(report.slice(report.search(/^[[{]/m)))) as [
    { files: { path: string }[] },
  ];
  return files.map(({ path }) => path);
}

/** A copy of the checkout to build in: other tests run at the same time, and a build removes dist/ first. */
function checkout(): string {
  const folder = temporaryFolder();
  const { files }: { files: string[] } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const packed = files.filter((name) => name !== 'dist' && existsSync(packageFile(name)));
  const needed = [
    'package.json',
    'README.md',
    'LICENSE',
    'tsconfig.json',
    'tsconfig.build.json',
    'build.ts',
    'cli',
    'src',
  ];
  for (const name of [...needed, ...packed]) cpSync(packageFile(name), join(folder, name), { recursive: true });
  symlinkSync(packageFile('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/**
 * A project with this one dependency. Its lock file has our versions, which `npm ci` left in npm's cache: no network. As
 * npm writes it, without the `gypfile: false` of better-sqlite3: only `--ignore-scripts` keeps npm from building it.
 */
function describeProject(folder: string, tarball: string): void {
  const read = (name: string) => JSON.parse(readFileSync(packageFile(name), 'utf8'));
  const { version, bin, dependencies } = read('package.json');
  const ours: [string, { dev?: boolean; gypfile?: boolean }][] = Object.entries(read('package-lock.json').packages);
  const installed = ours
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { gypfile: _, ...entry }]) => [path, entry]);
  const shop = { name: 'shop', version: '1.0.0', private: true, dependencies: { tallyhook: `file:${tarball}` } };
  const packages = {
    '': shop,
    'node_modules/tallyhook': { version, resolved: `file:${tarball}`, bin, dependencies },
    ...Object.fromEntries(installed),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...shop, type: 'module' }));
  const lock = { name: shop.name, version: shop.version, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** The Node of this process first: npm and the launcher take the one of PATH. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Runs a program to its end; returns its output, and throws with it when it fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, PATH, NODE_GYP_FORCE_PYTHON: '/no/python' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', env });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** As strict as TypeScript is, and with the declarations of every package checked. */
const STRICT = {
  compilerOptions: {
    ...{ target: 'es2024', module: 'nodenext', moduleResolution: 'nodenext', noEmit: true, types: ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  },
  include: ['*.ts', '*.mts'],
};

/** An empty project beside the installed package, with its packages; returns its folder. */
export async function merchantsProject(): Promise<string> {
  const installed = await installedPackage();
  const folder = temporaryFolder();
  symlinkSync(join(installed.folder, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
  return folder;
}

/** What the compiler says of the project: nothing when its types are right. */
export function typeErrors(folder: string): string {
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  return stdout;
}
