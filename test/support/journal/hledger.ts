import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs hledger on a journal; `null`: `check -s` finds nothing, else what it says. */
export function hledgerCheck(text: string): string | null {
  const { status, stdout, stderr } = hledger(text, 'check', '-s');
  return status === 0 ? null : `${stdout}${stderr}`;
}

/** What each account holds, as hledger adds it up: `assets:wallet NGN 12.50`, without those at zero. */
export function hledgerBalances(text: string): string[] {
  const { stdout } = hledger(text, 'balance', '--flat', '--no-total', '--layout', 'bare', '-O', 'csv');
  const rows = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(`[${line}]`) as string[]);
  return rows.map((cells) => cells.join(' ')).sort();
}

function hledger(text: string, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-hledger-'));
  const file = join(folder, 'month.journal');
  writeFileSync(file, text);
  const ran = spawnSync('hledger', ['-f', file, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  rmSync(folder, { recursive: true });
  return ran;
}
