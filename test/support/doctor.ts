import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Examined } from '../../src/store/examination.ts';
import { command } from './command.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { temporaryFolder } from './folder.ts';
import { TEST_KEY_ENV } from './signer.ts';
import type { Ended } from './tallyhook.ts';

export interface Diagnosis {
  readonly code: number | null;
  readonly stderr: string;
  readonly checks: readonly Examined[];
  named(name: string): Examined | undefined;
}

export const emptyFolder = (): string => temporaryFolder();

/** `tallyhook doctor --json` with test keys, and no admin listener to ask unless `env` names one. */
export async function doctor(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = emptyFolder(),
): Promise<Diagnosis> {
  const variables = { ...TEST_KEY_ENV, TALLYHOOK_ADMIN_PORT: '0', ...env };
  return diagnosis(await command(['doctor', '--json', ...args], { cwd, env: variables }));
}

export function diagnosis({ code, stdout, stderr }: Ended): Diagnosis {
  expect(stdout, stderr).not.toBe('');
  const { checks } = JSON.parse(stdout) as { checks: Examined[] };
  return { code, stderr, checks, named: (name) => checks.find((check) => check.name === name) };
}

/** A database of this program in `folder`. */
export function databaseIn(folder: string): string {
  const path = join(folder, 'tallyhook.db');
  makeEmptyDatabase(path);
  return path;
}

/** A server in the place of another one, such as the proxy. */
export async function standIn(answer: RequestListener, closing: (() => unknown)[]): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
