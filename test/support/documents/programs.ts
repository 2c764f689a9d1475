import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../../src/package-root.ts';
import { temporaryFolder } from '../receiver.ts';
import { type Block, blocksOf } from './blocks.ts';

export const PAGES: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: packageFile() }).toSorted()];

export function pageBlocks(page: string): Block[] {
  return blocksOf(readFileSync(packageFile(page), 'utf8'));
}

/** The programs of a page, in order: its blocks in TypeScript or JavaScript. */
export function programsOf(page: string): Block[] {
  return pageBlocks(page).filter(({ language }) => /^(ts|js|mjs|mts|typescript|javascript)$/.test(language));
}

/** A merchant's project with the packages that the documents name; Tallyhook is this checkout. Returns its folder. */
export function merchantsProject(): string {
  const folder = temporaryFolder();
  const ours = join(folder, 'node_modules', 'tallyhook');
  mkdirSync(ours, { recursive: true });
  symlinkSync(packageFile('src'), join(ours, 'src'));
  for (const name of ['@types', 'fastify', 'express', 'standardwebhooks']) {
    symlinkSync(packageFile('node_modules', name), join(folder, 'node_modules', name));
  }
  const exports = {
    '.': './src/index.ts',
    './client': './src/service/index.ts',
    './sandbox': './src/sandbox/index.ts',
  };
  writeFileSync(join(ours, 'package.json'), JSON.stringify({ name: 'tallyhook', type: 'module', exports }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: packageFile('tsconfig.json'), include: ['*.ts'] }),
  );
  return folder;
}

/** Writes every program of a page into the project, named after page and number; returns the names. */
export function writePrograms(folder: string, page: string): string[] {
  return programsOf(page).map(({ language, text }, at) => {
    const name = `${page.replace(/\W+/g, '-')}-${at + 1}.${/^(ts|typescript)$/.test(language) ? 'ts' : 'mjs'}`;
    writeFileSync(join(folder, name), text);
    return name;
  });
}
