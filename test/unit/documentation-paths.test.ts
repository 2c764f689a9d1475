import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';

const TOP = readdirSync(packageFile());
const IN_SRC = readdirSync(packageFile('src'), { withFileTypes: true });
const ROOMS = IN_SRC.flatMap((one) => (one.isDirectory() ? [one.name] : []));
const FILES = globSync(['*.ts', '{bench,cli,migrations,src,test}/**/*.{ts,js,sql}'], { cwd: packageFile() }).map(
  (file) => `/${file}`,
);

/** Texts in backticks that look like a path from the root or from `src/`; code blocks are left out. */
function pathsNamedIn(page: string): string[] {
  const text = readFileSync(packageFile(page), 'utf8').replace(/^```.*?^```$/gms, '');
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, token = '']) => token);
  const paths = quoted.filter((token) => /^[\w.-]+\/[\w./<>-]*$/.test(token));
  return paths.filter((path) => [...TOP, ...ROOMS].includes(path.split('/')[0] ?? ''));
}

/** `<name>` stands for a name to choose, so the folder before it must exist; the ending `.ts` may be left out. */
function leadsSomewhere(path: string): boolean {
  const fixed = path.replace(/[^/]*<.*$/, '');
  const places = TOP.includes(path.split('/')[0] ?? '') ? [fixed] : [`src/${fixed}`];
  return places.some((place) => existsSync(packageFile(place)) || existsSync(packageFile(`${place}.ts`)));
}

test.each([
  ['CONTRIBUTING.md', 50],
  ['docs/architecture.md', 5],
])('every path that %s names exists, also one that is named by its end', (page, fewest) => {
  const paths = pathsNamedIn(page);
  expect(paths.length).toBeGreaterThan(fewest);
  expect([...new Set(paths)].filter((path) => !leadsSomewhere(path))).toEqual([]);
  const ends = readFileSync(packageFile(page), 'utf8').matchAll(/`([\w./-]+\.(?:ts|js|sql))`/g);
  const named = [...new Set([...ends].map(([, end]) => end))];
  expect(named.length).toBeGreaterThan(fewest);
  expect(named.filter((end) => !FILES.some((file) => file.endsWith(`/${end}`)))).toEqual([]);
});

test('every room of src, and every folder in it, has a row in CONTRIBUTING.md; it names the files beside the rooms', () => {
  const [, table = ''] = readFileSync(packageFile('CONTRIBUTING.md'), 'utf8').split(/^## /m);
  const loose = IN_SRC.flatMap((one) => (one.isFile() ? [one.name] : []));
  expect(loose.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  const files = globSync('**/*.ts', { cwd: packageFile('src') }).map((path) => path.split('/').slice(0, -1));
  const depthOf = (path: readonly string[]) => (path[1] === 'sqlite' ? 3 : 2);
  const folders = files.flatMap((path) => path.map((_, at) => path.slice(0, at + 1)));
  const listed = new Set(folders.filter((path) => path.length <= depthOf(path)).map((path) => path.join('/')));
  expect(listed.size).toBeGreaterThan(50);
  expect([...listed].filter((path) => !new RegExp(`^\\|[^|]*\`(?:src/)?${path}/\``, 'm').test(table))).toEqual([]);
});

test('every constant that CONTRIBUTING.md names is in the code', () => {
  const named = [...readFileSync(packageFile('CONTRIBUTING.md'), 'utf8').matchAll(/`([A-Z_]{5,})`/g)].map(
    ([, name]) => name,
  );
  expect(named.length).toBeGreaterThan(3);
  const sources = globSync('{src,cli,test/support}/**/*.ts', { cwd: packageFile() }).map((path) =>
    readFileSync(packageFile(path), 'utf8'),
  );
  expect(named.filter((name) => !sources.some((text) => text.includes(`const ${name}`)))).toEqual([]);
});
