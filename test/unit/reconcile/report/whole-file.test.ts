import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { growingFile, writeWholeFile } from '../../../../src/reconcile/report/whole-file.ts';
import { spawn } from '../../../support/processes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyhook-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

test('a file takes the place of the former one when it is whole, and nothing is left of one that is abandoned', async () => {
  writeFileSync(at('report'), 'former');
  const file = await growingFile(at('report'));
  await file.write('half');
  expect(readFileSync(at('report'), 'utf8')).toBe('former');
  await file.abandon();
  await writeWholeFile(at('report'), Buffer.from('whole'));
  expect(readFileSync(at('report'), 'utf8')).toBe('whole');
  expect(readdirSync(folder)).toEqual(['report']);
  expect(statSync(at('report')).mode & 0o777).toBe(0o600);
});

test('a pipe is written, and stays a pipe', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  const reader = spawn('cat', [at('pipe')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const read = text(reader.stdout);
  await writeWholeFile(at('pipe'), Buffer.alloc(300_000, 'a'));
  expect((await read).length).toBe(300_000);
  expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
  expect(readdirSync(folder)).toEqual(['pipe']);
});

test('a folder is refused before anything is written', async () => {
  mkdirSync(at('reports'));
  await expect(growingFile(at('reports'))).rejects.toThrow(/reports is a folder/);
  expect(readdirSync(folder)).toEqual(['reports']);
});

test('a descriptor of the process that is a file is refused: its content stays', async () => {
  const script = `import { writeWholeFile } from '${join(import.meta.dirname, '../../../../src/reconcile/report/whole-file.ts')}';
    await writeWholeFile(process.argv[1], Buffer.from('bytes')).catch(({ message }) => console.log(message));`;
  const run = (path: string) => {
    const shell = `printf 'before\\n' > "$1"; exec "$0" --input-type=module -e "$2" "$3" >> "$1"`;
    execFileSync('sh', ['-c', shell, process.execPath, at('log'), script, path]);
    return readFileSync(at('log'), 'utf8');
  };
  expect(run('/dev/stdout')).toMatch(/^before\n\/dev\/stdout is a descriptor of this process/);
  expect(run('/dev/fd/1')).toMatch(/^before\n\/dev\/fd\/1 is a descriptor of this process/);
});
