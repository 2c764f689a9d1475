import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkOpenFiles } from '../../../../cli/commands/doctor/open-files-check.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { fileShortage, limitIn } from '../../../../src/serve/connections/open-files.ts';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units     
Max processes             95981                95981                processes 
Max open files            1024                 1048576              files     
`;

test('the limit is read from the text of /proc', () => {
  expect(limitIn(LIMITS)).toBe(1_024);
  expect(limitIn(LIMITS.replace('1024    ', 'unlimited'))).toBe(Number.POSITIVE_INFINITY);
  expect(limitIn('')).toBeNull();
  expect(limitIn(readFileSync('/proc/self/limits', 'utf8'))).toBeGreaterThan(0);
});

test('connections that need more files than allowed are a shortage, with its cure', () => {
  expect(fileShortage(10_000, 1_024)).toMatchObject({ openFiles: 1_024, connections: 924 });
  expect(fileShortage(10_000, 1_024)?.cure).toContain('LimitNOFILE=10100');
  expect([fileShortage(10_000, 10_100), fileShortage(10_000, null)]).toEqual([null, null]);
});

test('doctor warns of it', () => {
  const config = loadConfig({ env: {}, cwd: '/' });
  expect(checkOpenFiles(config, 1_024)).toMatchObject({
    status: 'warning',
    detail: '1024 allowed here: room for 924 of 4000 connections',
  });
  expect(checkOpenFiles(config, 20_000).status).toBe('ok');
  expect(checkOpenFiles(config, null).status).toBe('skipped');
});
