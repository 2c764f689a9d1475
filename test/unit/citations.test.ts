import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';

/* Comments cite the documents by page and paragraph: `(docs/matching.md, Copies and ties)`. */

const FILES = globSync('{src,cli,test}/**/*.ts', { cwd: packageFile('.') });

test('each paragraph that a comment cites is in its document, and no comment cites another paper', () => {
  const cited = FILES.flatMap((file) => {
    const text = readFileSync(packageFile(file), 'utf8');
    const found = text.matchAll(/\bdocs\/([a-z-]+\.md), "?([A-Z][^.):;"]*)/g);
    return [...found].flatMap(([, page = '', names = '']) =>
      names.split(/, (?=[A-Z])/).map((name) => ({ file, page, name: name.replaceAll(/\s*\n \* /g, ' ').trim() })),
    );
  });
  const papers = FILES.filter((file) => /\bRECONCILIATION \d/.test(readFileSync(packageFile(file), 'utf8')));
  const missing = cited.filter(({ page, name }) => !paragraphsOf(page).has(name));
  expect([cited.length > 15, missing, papers]).toEqual([true, [], []]);
});

/** Headings, and the words in bold with which paragraphs begin. */
function paragraphsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(packageFile(`docs/${page}`), 'utf8');
  const found = text.matchAll(/^#+ (.+)$|^(?:- )?\*\*(.+?)\.?\*\*/gm);
  return new Set([...found].map(([, heading, bold]) => heading ?? bold ?? ''));
}
