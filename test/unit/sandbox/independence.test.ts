import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { circlesIn } from '../../support/circles.ts';

const home = fileURLToPath(new URL('../../../src/sandbox', import.meta.url));
const files = globSync('**/*.ts', { cwd: home });

/** The files that each file of the sandbox imports, types included, as paths from src/sandbox. */
const graph = new Map(
  files.map((file) => {
    const text = readFileSync(resolve(home, file), 'utf8');
    const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map(([, target = '']) => target);
    return [file, targets.map((target) => relative(home, resolve(home, dirname(file), target)))];
  }),
);

/** The law of the rooms: what a room may import beside itself. src/sandbox/index.ts may import them all. */
const LAW = [
  { room: 'world', imports: [] },
  { room: 'wire', imports: ['world'] },
  { room: 'chaos', imports: ['world', 'wire'] },
  { room: 'webhooks', imports: ['world', 'wire', 'chaos'] },
  { room: 'business', imports: ['world', 'wire', 'webhooks'] },
  { room: 'statements', imports: ['world', 'wire', 'business'] },
  { room: 'controls', imports: ['world', 'wire', 'chaos', 'business', 'statements'] },
  { room: 'http', imports: ['world', 'wire', 'chaos', 'business', 'controls', 'package-root.ts'] },
] as const;

const roomOf = (path: string): string => path.split('/')[0] ?? path;

it('the sandbox imports nothing of the rest of src/, so that it proves the client and the receiver', () => {
  expect(files.length).toBeGreaterThan(30);
  const outside = [...graph].flatMap(([file, targets]) =>
    targets.filter((target) => target.startsWith('..')).map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([]);
});

describe('imports between the rooms of the sandbox point one way', () => {
  it.each(LAW)('$room imports $imports', ({ room, imports }) => {
    const own = [...graph].filter(([file]) => roomOf(file) === room);
    expect(own.length).toBeGreaterThan(1);
    const allowed: readonly string[] = [room, ...imports];
    const wrong = own.flatMap(([file, targets]) =>
      targets.filter((target) => !allowed.includes(roomOf(target))).map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('every room has its law', () => {
    const rooms = new Set(files.filter((file) => file.includes('/')).map(roomOf));
    expect(LAW.map(({ room }) => room).sort()).toEqual([...rooms].sort());
  });

  it('there are no circles, types included', () => {
    expect(circlesIn(graph)).toEqual([]);
  });
});

it('only the clock reads the time, and nothing is random but the start', () => {
  for (const file of files) {
    const text = readFileSync(resolve(home, file), 'utf8');
    if (file !== 'world/clock.ts')
      expect([file, /Date\.now\(\)|new Date\(\)|performance\.now/.test(text)]).toEqual([file, false]);
    expect([file, text.includes('Math.random')]).toEqual([file, false]);
  }
});
