import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { packageFile, packageVersion } from '../../src/package-root.ts';
import { audit } from '../support/audit.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/receiver.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';

let serve: Serve | undefined;
afterEach(() => serve?.kill());

const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

test('the packed package, installed in an empty folder, knows its version and receives', async () => {
  const packed = temporaryFolder();
  run('npm', ['pack', '--pack-destination', packed], packageFile());
  const [tarball = ''] = readdirSync(packed);
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'package.json'), '{ "name": "shop", "version": "1.0.0", "private": true }');
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(packed, tarball)], cwd);

  const program = join(cwd, 'node_modules', '.bin', 'tallyhook');
  expect(run(program, ['--version'], cwd)).toBe(`${packageVersion()}\n`);

  const database = join(cwd, 'tallyhook.db');
  const launcher = join(cwd, 'node_modules', 'tallyhook', 'cli', 'tallyhook.js');
  serve = await Serve.start({ cwd, database, launcher });
  const body = '{"event":"refund.success","data":{"refund_reference":"R1","status":"success","amount":"50.00"}}';
  const send = () =>
    rawRequest(serve?.url ?? '', { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  expect(JSON.parse((await send()).body)).toMatchObject({ received: true, duplicate: false });
  expect(JSON.parse((await send()).body)).toMatchObject({ received: true, duplicate: true });
  expect(await serve.stop()).toBe(0);
  expect(audit(database, new Map([[body, 2]]))).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, stored: 1 });

  const imported =
    "const { signWebhook, Secret } = await import('tallyhook'); console.log(typeof signWebhook, typeof Secret)";
  expect(run(process.execPath, ['--input-type=module', '-e', imported], cwd)).toBe('function function\n');
}, 180_000);

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, PATH } });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
