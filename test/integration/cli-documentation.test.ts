import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { anchorOf } from '../support/commands.ts';
import { temporaryFolder } from '../support/folder.ts';
import { overviewCommands } from '../support/overview.ts';
import { tallyhook } from '../support/tallyhook.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(packageFile('docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const read = (page: string) => readFileSync(packageFile(page), 'utf8');
const headings = (text: string) => [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
const withoutCode = (text: string) => text.replace(/^```.*?^```$/gms, '');

test('docs/cli.md has a heading for every command', async () => {
  const { stdout } = await tallyhook(['--help'], { cwd: temporaryFolder() });
  const commands = overviewCommands(stdout);
  expect(commands).toEqual(expect.arrayContaining(['serve', 'demo', 'doctor', 'migrate']));
  const words = new Set(headings(read('docs/cli.md')).flatMap((heading) => heading.split(/,? /)));
  expect(commands.filter((command) => !words.has(command))).toEqual([]);
});

test.each(PAGES)('every relative link in %s leads somewhere', (page) => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const broken = links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(packageFile(target))) return true;
      return anchor !== undefined && !headings(read(target)).map(anchorOf).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test.each(PAGES)('no text stands right behind a table of %s: it would be a row of it', (page) => {
  expect(withoutCode(read(page)).match(/^ *\|.*\n *[^\s|].*$/gm) ?? []).toEqual([]);
});
