import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
const document = readFileSync(packageFile('docs/dependencies.md'), 'utf8');

/** Packages in the table under a heading, with their reasons. */
function tableUnder(heading: string): Record<string, string> {
  const section = document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| (?!Package )([@\w./-]+) \| (.*) \|$/gm)];
  return Object.fromEntries(rows.map(([, name, reason]) => [name, reason]));
}

test.each([
  ['In the installed package', manifest.dependencies],
  ['For development', manifest.devDependencies],
])('docs/dependencies.md, "%s", has every package of package.json with a reason, and no other', (heading, packages) => {
  const table = tableUnder(heading);
  expect(Object.keys(table)).toEqual(Object.keys(packages).toSorted());
  for (const reason of Object.values(table)) expect(reason.trim()).not.toBe('');
});

test('docs/dependencies.md says of every package that was asked for whether it is used', () => {
  const [, section = ''] = document.split('\n## Packages named for this project\n');
  const [, named = ''] = /The packages named for this project were ([\s\S]*?)\.\n/.exec(section) ?? [];
  const wished = named.replaceAll('`', '').split(/,? and |,\s+/);
  expect(wished).toHaveLength(8);
  const used = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const name of wished)
    expect([name, section.includes(`- **${name}**`) || section.includes(`- **\`${name}\`**`)]).toEqual([
      name,
      !(name in used),
    ]);
});

// npm below 11.16 builds a package that holds a binding.gyp, with Python and a compiler, unless its entry in the lock file
// says `gypfile: false`. npm itself does not write that line, and `npm install` may drop it: then write it again.
test('the lock file names nothing that must be built', () => {
  const lock: { packages: Record<string, { gypfile?: boolean }> } = JSON.parse(
    readFileSync(packageFile('package-lock.json'), 'utf8'),
  );
  const withSources = Object.entries(lock.packages).filter(([path]) => existsSync(packageFile(path, 'binding.gyp')));
  expect(withSources.map(([path]) => path)).toContain('node_modules/better-sqlite3');
  expect(withSources.filter(([, { gypfile }]) => gypfile !== false).map(([path]) => path)).toEqual([]);
});
