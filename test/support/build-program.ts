import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from '../../build.ts';
import { packageFile } from '../../src/package-root.ts';
import { COMMAND_MODULES, PROGRAM_VARIABLE } from './program.ts';

/** The program as it is published, one folder for each state of the sources: below `node_modules` it finds its packages. */
const BUILT = packageFile('node_modules', '.cache', 'built-program');
/** A folder that no run used for so long is removed. */
const UNUSED_MS = 24 * 3_600_000;

/** Builds the program that the tests of this run start, unless an earlier run built it from the same sources. */
export default async function buildProgram(): Promise<void> {
  mkdirSync(BUILT, { recursive: true });
  const folder = join(BUILT, stateOfSources());
  if (!existsSync(folder)) await buildIn(folder);
  const now = new Date();
  utimesSync(folder, now, now);
  for (const other of readdirSync(BUILT).map((name) => join(BUILT, name)))
    if (now.getTime() - statSync(other).mtimeMs > UNUSED_MS) rmSync(other, { recursive: true, force: true });
  process.env[PROGRAM_VARIABLE] = folder;
}

function stateOfSources(): string {
  const cwd = packageFile();
  const files = [...globSync('{src,cli}/**/*.{ts,js}', { cwd }), 'build.ts', 'package.json', 'package-lock.json'];
  const states = files.toSorted().map((file) => {
    const { size, mtimeMs } = statSync(packageFile(file));
    return [file, size, mtimeMs];
  });
  return createHash('sha256').update(JSON.stringify(states)).digest('hex').slice(0, 16);
}

/** Beside its place first: a run that starts meanwhile finds the whole program, or none. */
async function buildIn(folder: string): Promise<void> {
  const unfinished = mkdtempSync(`${folder}-`);
  chmodSync(unfinished, 0o755); // tests under another user start it
  await bundle(join(unfinished, 'dist'), COMMAND_MODULES);
  for (const name of ['package.json', ...globSync('cli/*.js', { cwd: packageFile() })])
    cpSync(packageFile(name), join(unfinished, name));
  const { files }: { files: string[] } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  for (const name of files.filter((file) => /^[a-zA-Z.]+$/.test(file) && file !== 'dist'))
    symlinkSync(relative(folder, packageFile(name)), join(unfinished, name)); // also where the checkout is mounted elsewhere
  try {
    renameSync(unfinished, folder);
  } catch {
    rmSync(unfinished, { recursive: true }); // another run was first
  }
}
