import { join, relative } from 'node:path';
import { CONFIG_FILE_NAME } from '../../../src/config/locate.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import { note, print } from '../../show/output.ts';
import { shellWord } from '../../show/program.ts';
import { deploymentSteps, type PublicAddress } from './deploy.ts';

// What `init` says at its end: the files it wrote, and what a person does next.

export function reportWritten(files: readonly string[], keyIds: readonly string[], environment: Environment): void {
  const shown = files.map((file) => relative(process.cwd(), file) || file);
  print(`Written: ${shown.join(' and ')} (mode 0600, because it holds the keys)`);
  printKeys(keyIds);
  print('');
  print('Next:');
  if (keyIds.length === 0) print(`  fill in the keys in ${shown[1]}`);
  const [config = ''] = shown;
  const named = config === CONFIG_FILE_NAME ? '' : ` --config ${shellWord(config)}`;
  const steps = [[`tallyhook serve${named}`, 'start the receiver']];
  if (environment === 'test') steps.push([`tallyhook trigger refund.success${named}`, 'send it a signed sample']);
  const width = Math.max(...steps.map(([line = '']) => line.length)) + 5;
  for (const [line = '', does] of steps) print(`  ${line.padEnd(width)}${does}`);
  print(`  give the service your address, ending in /webhooks/${environment}, as the ${environment} webhook URL`);
  note('Keep .env out of version control.');
}

export function reportDeployed(
  files: readonly string[],
  keyIds: readonly string[],
  { folder, address, environment }: Place,
) {
  print(`Written: ${files.join(', ')}`);
  printKeys(keyIds);
  print('');
  print('Next, as root:');
  if (keyIds.length === 0) print(`  fill in the keys in ${join(folder, '.env')}`);
  for (const step of deploymentSteps(folder, address)) print(`  ${step}`);
  print(`  give the service ${address.origin}/webhooks/${environment} as the ${environment} webhook URL`);
  note(
    'A certificate made otherwise: change its two paths in nginx.conf. All steps: docs/operations.md, "Install on a server".',
  );
}

interface Place {
  readonly folder: string;
  readonly address: PublicAddress;
  readonly environment: Environment;
}

function printKeys(keyIds: readonly string[]): void {
  print(keyIds.length === 0 ? 'Keys: none yet' : `Keys: ${keyIds.join(', ')}, well-formed`);
}
