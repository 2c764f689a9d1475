import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../../src/package-root.ts';
import { type Block, blocksOf } from './blocks.ts';

export const PAGES: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: packageFile() }).toSorted()];

export function pageBlocks(page: string): Block[] {
  return blocksOf(readFileSync(packageFile(page), 'utf8'));
}

/** The programs of a page, in order: its blocks in TypeScript or JavaScript. */
export function programsOf(page: string): Block[] {
  return pageBlocks(page).filter(({ language }) => /^(ts|js|mjs|mts|typescript|javascript)$/.test(language));
}

/** Writes every program of a page into the project, named after page and number; returns the names. */
export function writePrograms(folder: string, page: string): string[] {
  return programsOf(page).map(({ language, text }, at) => {
    const name = `${page.replace(/\W+/g, '-')}-${at + 1}.${/^(ts|typescript)$/.test(language) ? 'ts' : 'mjs'}`;
    writeFileSync(join(folder, name), text);
    return name;
  });
}
