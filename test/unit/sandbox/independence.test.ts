import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const home = fileURLToPath(new URL('../../../src/sandbox', import.meta.url));

it('the sandbox imports nothing of the rest of src/, so that it proves the client and the receiver', () => {
  const files = globSync('**/*.ts', { cwd: home });
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const text = readFileSync(resolve(home, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)) {
      const path = relative(home, resolve(home, dirname(file), target));
      expect([file, path.startsWith('..')]).toEqual([file, false]);
    }
  }
});

it('only the clock reads the time, and nothing is random but the start', () => {
  for (const file of globSync('**/*.ts', { cwd: home })) {
    const text = readFileSync(resolve(home, file), 'utf8');
    if (file !== 'world/clock.ts')
      expect([file, /Date\.now\(\)|new Date\(\)|performance\.now/.test(text)]).toEqual([file, false]);
    expect([file, text.includes('Math.random')]).toEqual([file, false]);
  }
});
