import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { SUMMARY } from '../../../cli/overview.ts';
import { FLAGS_OF_KEPT_CODE } from '../../../cli/runtime.js';
import { packageFile } from '../../../src/package-root.ts';
import type { CarriedOut, CommandOrder } from '../command-process.ts';
import { COMMANDS_PAGE, commandOptions, pageWithOptions } from './page.ts';

/* Writes the tables of options in docs/cli.md again: npm run docs:options. One process prints the help of all commands. */

const commands = fork(packageFile('test/support/command-process.ts'), { execArgv: FLAGS_OF_KEPT_CODE });
await once(commands, 'message'); // it takes commands

const ask = async (path: readonly string[]) => {
  commands.send({ args: ['help', ...path], cwd: process.cwd(), env: {}, columns: 120 } satisfies CommandOrder);
  const [{ written }] = (await once(commands, 'message')) as [CarriedOut];
  return written.flatMap(({ stream, text }) => (stream === 'stdout' ? text : [])).join('');
};
const options = await commandOptions(ask, Object.keys(SUMMARY));
commands.disconnect();
writeFileSync(COMMANDS_PAGE, pageWithOptions(readFileSync(COMMANDS_PAGE, 'utf8'), options));
