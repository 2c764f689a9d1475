import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { SUMMARY } from '../../../cli/overview.ts';
import { packageFile } from '../../../src/package-root.ts';
import { COMMANDS_PAGE, commandOptions, pageWithOptions } from './page.ts';

/* Writes the tables of options in docs/cli.md again: npm run docs:options. */

const program = packageFile('cli/tallyhook.js');
const ask = async (path: readonly string[]) =>
  (await promisify(execFile)(process.execPath, [program, 'help', ...path])).stdout;
const commands = await commandOptions(ask, Object.keys(SUMMARY));
writeFileSync(COMMANDS_PAGE, pageWithOptions(readFileSync(COMMANDS_PAGE, 'utf8'), commands));
