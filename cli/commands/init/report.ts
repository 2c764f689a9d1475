import { relative } from 'node:path';
import { CONFIG_FILE_NAME } from '../../../src/config/locate.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import { note, print, printVerbatim } from '../../show/output.ts';
import { shellWord } from '../../show/program.ts';
import type { PublicAddress } from './public-address.ts';

// What `init` says at its end: the files it wrote, and what a person does next.

interface Written {
  /** The .gitignore that was changed; null in no working tree of git, and where it named everything. */
  readonly ignored: string | null;
  readonly keyIds: readonly string[];
  readonly environment: Environment;
}

export function reportWritten(
  files: { readonly config: string; readonly environment: string },
  { ignored, keyIds, environment }: Written,
): void {
  const shown = [files.config, files.environment].map((file) => relative(process.cwd(), file) || file);
  print(`Written: ${shown.join(' and ')} (mode 0600, because it holds the keys)`);
  if (ignored !== null) print(ignoredLine(ignored));
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

export interface Deployed {
  readonly folder: string;
  readonly written: readonly string[];
  /** Files that were there, and were left as they are. */
  readonly kept: readonly string[];
  readonly keyIds: readonly string[];
  readonly environmentFile: string;
  readonly address: PublicAddress;
  readonly environment: Environment;
  readonly steps: readonly string[];
  readonly asRoot: boolean;
  readonly ignored: string | null;
  /** What the configuration lacks for this deployment, in sentences. */
  readonly remarks: readonly string[];
}

export function reportDeployed(deployed: Deployed): void {
  const { folder, written, kept, keyIds, environmentFile, address, environment, steps, remarks } = deployed;
  const below = (paths: readonly string[]) => paths.map((path) => relative(folder, path)).join(', ');
  print(`Written to ${folder}: ${below(written)}`);
  if (kept.length > 0) print(`Kept: ${below(kept)}`);
  if (deployed.ignored !== null) print(ignoredLine(deployed.ignored));
  printKeys(keyIds);
  for (const remark of remarks) print(`Note: ${remark}`);
  print('');
  print(deployed.asRoot ? 'Next, as root:' : 'Next:');
  if (keyIds.length === 0) print(`  fill in the keys in ${environmentFile}`);
  for (const step of steps) printVerbatim(`  ${step}`); // to be pasted, so not wrapped
  print(`  give the service ${address.origin}/webhooks/${environment} as the ${environment} webhook URL`);
  note('All steps, with Caddy or timers too: docs/operations.md.');
}

function ignoredLine(file: string): string {
  return `Added to ${relative(process.cwd(), file) || file}: .env, audit.key, access.key and data/, which must not be committed`;
}

function printKeys(keyIds: readonly string[]): void {
  print(keyIds.length === 0 ? 'Keys: none yet' : `Keys: ${keyIds.join(', ')}, well-formed`);
}
