import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { readChaosFile } from '../../src/sandbox/chaos/file.ts';
import { RULE_NAMES, startSandbox } from '../../src/sandbox/index.ts';
import { settingsSchema } from '../../src/sandbox/world/settings.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkAnswer, openapi } from '../support/openapi.ts';
import { LAUNCHER } from '../support/program.ts';

const guide = readFileSync(packageFile('docs/sandbox.md'), 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

/** Stands before the real curl: notes status, type, method, address and body of every call, then prints the body. */
const NOTING_CURL = `#!/usr/bin/env sh
n=$(ls "$NOTES" | wc -l)
"$REAL_CURL" "$@" -o "$NOTES/$n.body" -w '%{http_code}\\n%{content_type}\\n%{method}\\n%{url}' > "$NOTES/$n.facts"
cat "$NOTES/$n.body"
`;

/** Every endpoint of the document, as `METHOD /path/{parameter}`. */
function documented(): string[] {
  return Object.entries(openapi.paths).flatMap(([path, item]) => {
    const shared = openapi.components.pathItems?.[item.$ref?.split('/').at(-1) ?? ''];
    const methods = Object.keys(shared ?? item).filter((key) => /^(get|post|put|patch|delete)$/.test(key));
    expect(methods).not.toEqual([]);
    return methods.map((method) => `${method.toUpperCase()} ${path}`);
  });
}

/** Every control over HTTP, in the same form. */
function controls(): string[] {
  const source = readFileSync(packageFile('src/sandbox/http/control-routes.ts'), 'utf8');
  const found = [...source.matchAll(/^ {2}route\('([A-Z]+)', '([^']+)'/gm)];
  expect(found.length).toBeGreaterThan(25);
  return found.map(([, method, path = '']) => `${method} /sandbox${path.replace(/:(\w+)/g, '{$1}')}`);
}

it('every command of docs/sandbox.md works as pasted, and every endpoint of the document and every control is among them', {
  tags: ['curl'],
}, async () => {
  const folder = temporaryFolder();
  const notes = mkdtempSync(join(folder, 'notes-'));
  writeFileSync(join(folder, 'curl'), NOTING_CURL);
  chmodSync(join(folder, 'curl'), 0o755);
  symlinkSync(LAUNCHER, join(folder, 'tallyhook'));
  const { stdout: realCurl } = await promisify(execFile)('sh', ['-c', 'command -v curl']);

  const sandbox = await startSandbox({ seed: 7, clock: 'manual' });
  const left = join(folder, `tallyhook-sandbox-${userInfo().uid}`); // what `tallyhook sandbox` leaves for its subcommands
  mkdirSync(left, { mode: 0o700 });
  writeFileSync(join(left, '4602.json'), JSON.stringify({ url: sandbox.url, token: sandbox.controlToken }));
  const script = blocks('sh')
    .filter((text) => !text.startsWith('tallyhook sandbox --seed'))
    .join('\n')
    .replaceAll('http://127.0.0.1:4602', sandbox.url);
  const env = {
    PATH: `${folder}:${process.execPath.replace(/\/node$/, '')}:${process.env.PATH}`,
    REAL_CURL: realCurl.trim(),
    NOTES: notes,
    TALLYHOOK_SANDBOX_URL: sandbox.url,
    XDG_RUNTIME_DIR: folder,
  };
  const { stderr } = await promisify(execFile)('sh', ['-euc', script], { env, cwd: folder });
  expect(stderr).toBe('');

  const seen = new Set<string>();
  const count = (await promisify(execFile)('ls', [notes])).stdout.split('\n').length >> 1;
  for (let n = 0; n < count * 2; n += 2) {
    const [status = '', type = '', method = '', url = ''] = readFileSync(join(notes, `${n}.facts`), 'utf8').split('\n');
    const { pathname, search } = new URL(url);
    expect([method, url, Number(status) < 400]).toEqual([method, url, true]);
    seen.add(`${method} ${pathname}`);
    if (pathname.startsWith('/sandbox/')) continue; // the controls are not of the document
    checkAnswer(method, pathname + search, Number(status), type, readFileSync(join(notes, `${n}.body`), 'utf8'));
  }
  const refund = sandbox.refunds()[0];
  expect(refund).toMatchObject({ transaction_reference: 'order-1', amount: '20.00', status: 'success' });
  expect(sandbox.books().problems).toEqual([]);
  for (const endpoint of [...documented(), ...controls()]) {
    const pattern = new RegExp(`^${endpoint.replace(/\{[^}]+\}/g, '[^/]+')}$`);
    expect([endpoint, [...seen].some((one) => pattern.test(one))]).toEqual([endpoint, true]);
  }
  await sandbox.close();
});

it('its document has no value that a stray comma left empty', () => {
  const empty = (node: unknown, path: string): string[] => {
    if (node === null) return [path];
    if (typeof node !== 'object') return [];
    return Object.entries(node).flatMap(([key, value]) => empty(value, `${path}/${key}`));
  };
  expect(empty(openapi, '')).toEqual([]);
});

it('its chaos file is one, and it names every rule and every setting with its default', () => {
  expect(readChaosFile(blocks('yaml')[0] ?? '').rules).toHaveLength(5);
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
  for (const rule of RULE_NAMES)
    expect([rule, rows.some((row) => row.split('|')[1]?.includes(`\`${rule}\``))]).toEqual([rule, true]);
  for (const [name, value] of Object.entries(settingsSchema.parse({}))) {
    const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``));
    const shown = Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
    expect([name, row?.split('|')[2]?.includes(shown)]).toEqual([name, true]);
  }
});

it('a chaos file that is wrong in several places is told of each', () => {
  const text = 'seed: x\nsettings: { pageSize: 0 }\nrules: [{ do: explode }]\nother: 1';
  for (const part of [/^seed: /m, /^settings\.pageSize: /m, /^rules\.0\.do: /m, /"other"/])
    expect(() => readChaosFile(text)).toThrow(part);
  for (const wrong of ['just words', '[1]', 'rules: 3\nsettings: []']) expect(() => readChaosFile(wrong)).toThrow(/: /);
});

it('what it says about its library is what the library has', () => {
  const words = /Every control\s+above is a method: (.*?)\. Several/s.exec(guide)?.[1]?.match(/`(\w+)`/g) ?? [];
  expect(words.length).toBeGreaterThan(20);
  return startSandbox().then(async (sandbox) => {
    for (const word of words)
      expect([word, typeof sandbox[word.replaceAll('`', '') as 'settle']]).toEqual([word, 'function']);
    await sandbox.close();
  });
});
