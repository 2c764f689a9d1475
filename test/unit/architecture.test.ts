import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Paths inside the repository, or names of packages. */
  readonly imports: readonly string[];
}

const IMPORT = /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

const root = packageFile();
const sources: Source[] = globSync(['src/**/*.ts', 'cli/**/*.{ts,js}'], { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return {
    path,
    text,
    lines: text.split('\n').length - 1,
    imports: imports.map((name) => (name.startsWith('.') ? relative('.', join(dirname(path), name)) : name)),
  };
});
const isOurs = (name: string) => /^(src|cli)\//.test(name);
const inside = (...places: string[]) => sources.filter(({ path }) => places.some((place) => path.startsWith(place)));

/** The files of the port stand in src/store/ itself; the engine behind it in a folder below. */
const PORT = sources.map(({ path }) => path).filter((path) => /^src\/store\/[^/]+$/.test(path));

/** What a place may import of this repository, besides itself. Whatever is not named here stands at the top. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'src/domain/': [],
  'src/clock.ts': [],
  'src/package-root.ts': [],
  'src/config/': ['src/domain/', 'src/schedule/cron.ts', 'src/package-root.ts'],
  ...Object.fromEntries(PORT.map((path) => [path, [...PORT, 'src/domain/']])),
  'src/store/sqlite/': ['src/store/', 'src/domain/', 'src/package-root.ts'],
  'src/receive/': [...PORT, 'src/domain/', 'src/clock.ts'],
  'src/service/': ['src/domain/'],
  // The port, never the engine behind it.
  'src/confirm/': [...PORT, 'src/service/', 'src/domain/', 'src/clock.ts'],
  'src/admin/': [...PORT, 'src/schedule/', 'src/domain/', 'src/clock.ts'],
  // Jobs are handed in as functions.
  'src/schedule/': [...PORT, 'src/domain/', 'src/clock.ts'],
  // What the schedule runs, built from the parts of the house.
  'src/jobs/': [
    'src/asking.ts',
    'src/aside.ts',
    'src/checkpointer.ts',
    'src/entry.ts',
    'src/confirm/',
    'src/schedule/',
    'src/config/',
    'src/store/',
    'src/domain/',
    'src/clock.ts',
  ],
  // A second implementation proves something only while it shares nothing.
  'src/sandbox/': [],
};
const TOP = [
  'src/app.ts',
  'src/background.ts',
  'src/aside.ts',
  'src/checkpointer.ts',
  'src/entry.ts',
  'src/jobs.ts',
  'src/http-server.ts',
  'src/inbox.ts',
  'src/landing.ts',
  'src/requests.ts',
  'src/tracking.ts',
  'src/trouble.ts',
  'src/asking.ts',
  'src/clients.ts',
  'src/work.ts',
  'src/work-thread.ts',
  'src/writer.ts',
  'src/checker.ts',
  'src/index.ts',
];

test('the sources are found, and so are their imports', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.find(({ path }) => path === 'src/app.ts')?.imports).toContain('src/inbox.ts');
  expect(sources.find(({ path }) => path === 'src/writer.ts')?.imports).toContain('src/store/sqlite/event-log.ts');
});

describe('imports point one way', () => {
  test.each(Object.entries(MAY_IMPORT))('%s', (place, others) => {
    const found = inside(place);
    expect(found.length).toBeGreaterThan(0);
    for (const { path, imports } of found) {
      const wrong = imports.filter((name) => isOurs(name) && ![place, ...others].some((one) => name.startsWith(one)));
      expect([path, wrong]).toEqual([path, []]);
    }
  });

  test('every file of src/ stands in one of these places, or at the top', () => {
    const places = [...Object.keys(MAY_IMPORT), ...TOP];
    const homeless = inside('src/').filter(({ path }) => !places.some((place) => path.startsWith(place)));
    expect(homeless.map(({ path }) => path)).toEqual([]);
  });

  test('nothing in src/ imports the command line', () => {
    for (const { path, imports } of inside('src/')) {
      expect([path, imports.filter((name) => name.startsWith('cli/'))]).toEqual([path, []]);
    }
  });

  test('the domain uses no package, and of Node only digests and bytes', () => {
    for (const { path, imports } of inside('src/domain/')) {
      const outside = imports.filter((name) => !isOurs(name) && !['node:crypto', 'node:buffer'].includes(name));
      expect([path, outside]).toEqual([path, []]);
    }
  });
});

test('docs/architecture.md names what stands in src/, and nothing else', () => {
  const [, drawing = ''] =
    /\nsrc\/\n([\s\S]*?)\ncli\//.exec(readFileSync(packageFile('docs/architecture.md'), 'utf8')) ?? [];
  const named = drawing
    .split('\n')
    .flatMap((line) => [...line.matchAll(/(?<=^ {2}|, | {4,})[a-z-]+(?:\/|\.ts)(?= {2}|,)/g)]);
  const there = readdirSync(join(root, 'src'), { withFileTypes: true });
  expect(named.map(([name]) => name).sort()).toEqual(
    there.map((one) => (one.isDirectory() ? `${one.name}/` : one.name)).sort(),
  );
});

test('no file is longer than 300 lines', () => {
  expect(sources.filter(({ lines }) => lines > 300).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
});

test('only the clocks read the time', () => {
  const readers = inside('src/').filter(({ text }) => /Date\.now\(|new Date\(\)|\bDate\(\)/.test(text));
  expect(readers.map(({ path }) => path)).toEqual(['src/clock.ts', 'src/sandbox/clock.ts']);
});

test('every write transaction takes the write lock first', () => {
  const transactions = sources.filter(({ text }) => /\.transaction\(|\bBEGIN\b(?! +IMMEDIATE)/.test(text));
  expect(transactions.map(({ path }) => path).sort()).toEqual([
    'src/store/sqlite/database.ts', // `writing`, which calls it with .immediate
    'src/store/sqlite/instance-lock.ts', // locks a file that holds no data
    'src/store/sqlite/reading.ts', // reads
  ]);
});

test('nobody compares signatures with ===', () => {
  const COMPARED =
    /(?:signature|digest|hmac)\w*(?:\.\w+\(.*?\))? *[!=]==?(?!=) *(?! |undefined|null|'verified'|'absent'|SIGNATURE)/i;
  const guilty = inside('src/receive/', 'src/admin/').flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => COMPARED.test(line) && !/^\s*(\*|\/\/)/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(guilty).toEqual([]);
});
