import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { circlesIn } from '../support/circles.ts';

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Paths inside the repository, or names of packages; imports of types alone too. */
  readonly imports: readonly string[];
}

const IMPORT = /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

const root = packageFile();
const sources: Source[] = globSync(['{src,cli,bench}/**/*.{ts,js}'], { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return {
    path,
    text,
    lines: text.split('\n').length - 1,
    imports: imports.map((name) => (name.startsWith('.') ? relative('.', join(dirname(path), name)) : name)),
  };
});
const isOurs = (name: string) => /^(src|cli|bench)\//.test(name);
const inside = (...places: string[]) => sources.filter(({ path }) => places.some((place) => path.startsWith(place)));

/** The rooms of `src/`, the lowest row first. A room imports itself and the rows below it, never its neighbours. */
const ROWS = [
  ['time'],
  ['domain'],
  ['http'],
  ['service', 'store', 'config'],
  ['access', 'receive', 'confirm', 'alert', 'reconcile', 'forward'],
  ['why'],
  ['lists'],
  ['jobs', 'web'],
  ['serve'],
] as const;
const ROOMS = ROWS.flat().map((room) => `src/${room}/`);
/** The folders of the SQLite engine, each with those that it may import. */
const SQLITE = {
  engine: [],
  rows: ['engine'],
  log: ['engine'],
  read: ['engine', 'rows', 'log'],
  write: ['engine', 'rows', 'read', 'log'],
  'carry-out': ['engine', 'rows', 'read', 'write', 'log'],
  upkeep: ['engine', 'log'],
};
/** The steps of a run, the first one first, and what they rest on: none imports one that comes after it. */
const STEPS = ['load', 'witnesses', 'pass', 'judge', 'balance', 'period', 'report'];
const engine = (name: string) => /^src\/store\/(sqlite|cluster)\//.test(name);
const CLUSTER = 'src/store/cluster/';
/** Matching computes in a database of its own, which is the same under every engine. */
const scratch = (name: string) => name.startsWith('src/store/scratch/');
const ENGINE_WORDS =
  /\bSELECT\s+[\w*(]|\bINSERT INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b|\b(?:sqlite|pragma|fsync|wal|checkpoint\w*)\b/gi;
/** `sql` passes on what a person writes; the schema of the configuration refuses other databases; the launcher names a file. */
const SQL_IS_THEIRS = ['cli/commands/sql.ts', 'src/config/schema.ts', 'cli/strip.js'];
/** A second implementation of the interface proves something only while it shares nothing with the first. */
const SANDBOX = 'src/sandbox/';

function mayImport(room: string): string[] {
  const row = ROWS.findIndex((rooms) => rooms.some((name) => room === `src/${name}/`));
  const lower = ROWS.slice(0, row).flat();
  return [room, ...lower.map((name) => `src/${name}/`), 'src/package-root.ts'];
}

/** The lines of a file that are no comment. */
const codeLines = (text: string) => text.split('\n').filter((line) => !/^\s*(\/?\*|\/\/)/.test(line));

const importsOutside = (place: string, allowed: readonly string[]) =>
  inside(place).flatMap(({ path, imports }) =>
    imports
      .filter((name) => isOurs(name) && !allowed.some((one) => name.startsWith(one)))
      .map((name) => `${path} -> ${name}`),
  );

test('the sources are found, and so are their imports', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.find(({ path }) => path === 'src/serve/app.ts')?.imports).toContain('src/receive/receiver.ts');
  const thread = sources.find(({ path }) => path === 'src/store/sqlite/carry-out/delivery-effects.ts');
  expect(thread?.imports).toContain('src/store/sqlite/write/events.ts');
});

describe('imports point one way', () => {
  test.each(ROOMS)('%s', (room) => {
    expect(inside(room).length).toBeGreaterThan(0);
    expect(importsOutside(room, mayImport(room))).toEqual([]);
  });

  test(`${SANDBOX} imports nothing of the rest`, () => {
    expect(inside(SANDBOX).length).toBeGreaterThan(40);
    expect(importsOutside(SANDBOX, [SANDBOX])).toEqual([]);
  });

  test('every file of src/ lives in a room, but for the library and the root of the package', () => {
    const loose = inside('src/').filter(({ path }) => ![...ROOMS, SANDBOX].some((room) => path.startsWith(room)));
    expect(loose.map(({ path }) => path).sort()).toEqual(['src/index.ts', 'src/package-root.ts']);
  });

  test('only package-root.ts starts a thread: it sets what every process with threads needs', () => {
    const starters = inside('src/', 'cli/').filter(({ text }) => /new Worker\(/.test(text));
    expect(starters.map(({ path }) => path)).toEqual(['src/package-root.ts']);
  });

  test('nothing in src/ imports the command line or the benchmarks', () => {
    expect(importsOutside('src/', ['src/'])).toEqual([]);
  });

  test('only store/open.ts imports an engine', () => {
    const importers = inside('src/', 'cli/', 'bench/').filter(
      ({ path, imports }) => !engine(path) && imports.some(engine),
    );
    expect(importers.map(({ path }) => path)).toEqual(['src/store/open.ts']);
    const drivers = inside('src/', 'cli/').filter(({ imports }) => imports.includes('better-sqlite3'));
    expect(drivers.filter(({ path }) => !engine(path) && !scratch(path)).map(({ path }) => path)).toEqual([]);
    expect(drivers.length).toBeGreaterThan(0);
    const servers = inside('src/', 'cli/', 'bench/').filter(({ imports }) => imports.includes('pg'));
    expect(servers.filter(({ path }) => !path.startsWith('src/store/cluster/postgres/'))).toEqual([]);
    expect(servers.length).toBeGreaterThan(0);
  });

  test('a machine alone loads nothing of several machines: only store/open.ts imports store/cluster/, and only when it is called', () => {
    const importers = sources.filter(
      ({ path, imports }) => !path.startsWith(CLUSTER) && imports.some((name) => name.startsWith(CLUSTER)),
    );
    expect(importers.map(({ path }) => path)).toEqual(['src/store/open.ts']);
    const { text = '' } = importers[0] ?? {};
    expect(text).not.toMatch(/^(?:import|export)\b[^;]*\bfrom\s*'\.\/cluster\//m);
    expect(text).toContain("import('./cluster/store.ts')");
  });

  test('nothing above store/ holds SQL or the words of an engine', () => {
    const above = inside('src/', 'cli/').filter(
      ({ path }) => !path.startsWith('src/store/') && !SQL_IS_THEIRS.includes(path),
    );
    const found = above.flatMap(({ path, text }) =>
      [...text.matchAll(ENGINE_WORDS)].map(([word]) => `${path}: ${word.trim()}`),
    );
    expect(found).toEqual([]);
    const port = inside('src/store/').filter(
      ({ path }) => !engine(path) && !scratch(path) && path !== 'src/store/open.ts',
    );
    expect(port.filter(({ text }) => text.search(ENGINE_WORDS) >= 0).map(({ path }) => path)).toEqual([]);
  });

  test('what computes a run asks the scratch database by intent: its handle stays in store/', () => {
    const handle = /\b(?:scratch|run)\.database\b|\{[^}]*\bdatabase\b[^}]*\}: Scratch\b/;
    const holders = inside('src/', 'cli/').filter(({ text }) => handle.test(text));
    expect(holders.map(({ path }) => path).filter((path) => !path.startsWith('src/store/'))).toEqual([]);
    expect(holders.length).toBeGreaterThan(0);
  });

  test.each(Object.entries(SQLITE))('store/sqlite/%s', (folder, lower) => {
    const place = 'src/store/sqlite/';
    expect(inside(`${place}${folder}/`).length).toBeGreaterThan(0);
    const imported = importsOutside(
      `${place}${folder}/`,
      [folder, ...lower].map((name) => `${place}${name}/`),
    );
    expect(imported.filter((line) => line.includes(` -> ${place}`))).toEqual([]);
  });

  test.each(STEPS)('src/reconcile/%s imports no later step', (step) => {
    const place = (name: string) => `src/reconcile/${name}/`;
    expect(inside(place(step)).length).toBeGreaterThan(0);
    const later = STEPS.slice(STEPS.indexOf(step) + 1).map(place);
    const imported = inside(place(step)).flatMap(({ path, imports }) => imports.map((name) => `${path} -> ${name}`));
    expect(imported.filter((line) => later.some((name) => line.includes(` -> ${name}`)))).toEqual([]);
  });

  test('there are no circles, types included', () => {
    const graph = new Map(sources.map(({ path, imports }) => [path, imports.filter(isOurs)]));
    expect(circlesIn(graph)).toEqual([]);
  });

  test('the domain uses no package, and of Node only digests and bytes', () => {
    for (const { path, imports } of inside('src/domain/', 'src/time/timestamp.ts')) {
      const outside = imports.filter((name) => !isOurs(name) && !['node:crypto', 'node:buffer'].includes(name));
      expect([path, outside]).toEqual([path, []]);
    }
  });
});

test('a circle is found, however long, and each once', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', ['e']],
    ['f', []],
  ]);
  expect(circlesIn(graph)).toEqual([['a', 'b', 'c'], ['e']]);
});

test('docs/decisions.md has every decision that the sources and the documents cite', () => {
  const decisions = readFileSync(packageFile('docs/decisions.md'), 'utf8');
  const documents = globSync('docs/*.md', { cwd: packageFile() }).map((page) =>
    readFileSync(packageFile(page), 'utf8'),
  );
  const texts = [...inside('src/', 'cli/').map(({ text }) => text), ...documents];
  const cited = texts.flatMap((text) =>
    [...text.matchAll(/\bdecisions? ((?:\d+)(?:(?:, | and )\d+)*)/gi)].flatMap(([, numbers = '']) =>
      numbers.split(/, | and /),
    ),
  );
  expect(new Set(cited).size).toBeGreaterThan(50);
  expect([...new Set(cited)].filter((number) => !decisions.includes(`\n| ${number} |`))).toEqual([]);
});

test('no file is longer than 300 lines', () => {
  const long = sources.filter(({ lines }) => lines > 300);
  expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
});

test('only the clocks read the time', () => {
  const readers = inside('src/').filter(({ text }) =>
    /\bDate\.now\b|\bnew Date\b(?!\([^)])|(?<!new )\bDate\(\)|= Date\b(?!\.)/.test(text),
  );
  expect(readers.map(({ path }) => path).sort()).toEqual(['src/sandbox/world/clock.ts', 'src/time/clock.ts']);
});

/** What is carried out again on other machines (docs/architecture.md, "The law of writes"). */
const CARRIED_OUT = [
  ...['src/domain/', 'src/store/sqlite/rows/', 'src/store/sqlite/write/', 'src/store/cluster/carry-out.ts'],
  ...['carry-out', 'contradicting-contents', 'delivery-effects', 'earlier-contents', 'observing'].map(
    (name) => `src/store/sqlite/carry-out/${name}.ts`,
  ),
];
const ELSEWHERE_OTHERWISE = new RegExp(
  [
    /\bMath\.random\b|\brandom(?:Bytes|Int|UUID)\b|\bgetRandomValues\b/,
    /\bDate\.now\b|\bDate\(\)|\.nowMs\(\)|\bsystemClock\b|\bperformance\./,
    /\bprocess\.|\bhostname\(\)|\bthis(?:Machine|Process)\b|(?<!\.)\bisGone\(/,
    /\.localeCompare\(|\.toLocale(?:Date|Time)?String\(|\bIntl\./,
  ]
    .map(({ source }) => source)
    .join('|'),
);

test('a write reads no clock, nothing random, no process, machine or locale', () => {
  const breaches = inside(...CARRIED_OUT).flatMap(({ path, text }) =>
    codeLines(text)
      .filter((line) => ELSEWHERE_OTHERWISE.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(inside(...CARRIED_OUT).length).toBeGreaterThan(200);
  expect(breaches).toEqual([]);
  const refused = [
    ...['Math.random()', '[1].map(Math.random)', 'randomBytes(16)', 'randomUUID()', 'getRandomValues(bytes)'],
    ...['Date.now()', 'new Date()', 'performance.now()', 'systemClock.nowMs()', 'clock.nowMs()'],
    ...['process.pid', 'process.env.TZ', 'thisMachine()', 'thisProcess()', 'hostname()', 'isGone(one)'],
    ...["'a'.localeCompare('b')", '(1).toLocaleString()', 'new Intl.Collator()'],
  ];
  const allowed = ['new Date(5).toISOString()', "spread('check', 1)", 'caller.isGone(one)'];
  expect([...allowed, ...refused].filter((code) => ELSEWHERE_OTHERWISE.test(code))).toEqual(refused);
});

test('every write transaction takes the write lock first', () => {
  const transactions = inside('src/', 'cli/').filter(({ text }) =>
    /\.transaction\(|\bBEGIN\b(?! +IMMEDIATE)/.test(text),
  );
  expect(transactions.map(({ path }) => path).sort()).toEqual([
    'src/store/cluster/postgres/nodes.ts', // reads
    'src/store/cluster/postgres/upkeep.ts', // under an advisory lock
    'src/store/cluster/table-sums.ts', // reads
    'src/store/sqlite/engine/database.ts', // `writing`, which calls it with .immediate
    'src/store/sqlite/engine/instance-lock.ts', // locks a file that holds no data
    'src/store/sqlite/engine/reading.ts', // reads
  ]);
});

test('no signature or token is compared with ===, or by a method whose time tells', () => {
  const COMPARED =
    /(?:signature|digest|hmac)\w*(?:\.\w+\(.*?\))? *[!=]==?(?!=) *(?! |undefined|null|'verified'|'absent'|SIGNATURE)/i;
  /** Of bytes: `one.equals(other)`, `Buffer.compare`, `one.compare(other)`, `localeCompare`. */
  const BY_METHOD = /\.(?:equals|compare|localeCompare)\(/;
  // Every file that compares a secret, and the rooms in which one may begin to.
  const comparing = sources.filter(({ path, text }) => text.includes('timingSafeEqual') && !path.startsWith(SANDBOX));
  const watched = new Set([...comparing, ...inside('src/receive/', 'src/web/', 'src/serve/')]);
  expect([...watched].map(({ path }) => path)).toContain('src/domain/requests/callback-verdict.ts');
  const guilty = [...watched].flatMap(({ path, text }) =>
    codeLines(text)
      .filter((line) => COMPARED.test(line) || (BY_METHOD.test(line) && path !== BODY_VARIANTS))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(guilty).toEqual([]);
});

/** Compares bodies with each other, which are no secrets. */
const BODY_VARIANTS = 'src/receive/diagnose/body-variants.ts';

/** Programs of their own, outside the test runner: they end what they start. */
const OUTSIDE = [
  'test/support/options-page/write.ts',
  'test/support/released/make-database.ts',
  'test/support/server/systemctl.ts',
];

test('tests start programs in groups that end with them', () => {
  const starting = globSync('test/{unit,contract,integration,conformance,long,support}/**/*.ts', { cwd: root }).filter(
    (path) =>
      /import \{[^}]*\b(?:spawn|fork)\b[^}]*\} from 'node:child_process'/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(starting.sort()).toEqual(['test/support/processes.ts', ...OUTSIDE].sort());
});

test('no room imports a value of node:http: that loads the web client inside Node, 40 ms of each start', () => {
  const importing = globSync('src/**/*.ts', { cwd: root }).filter((path) =>
    /^import (?!type ).* from 'node:http';$/m.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(importing).toEqual([]);
});
