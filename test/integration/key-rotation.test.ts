import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const OLD = { publicKey: 'pk_test_of_2026', secretKey: 'sk_test_2026_0123456789abcdef' };
const NEW = { publicKey: 'pk_test_of_2027', secretKey: 'sk_test_2027_fedcba9876543210' };
const pair = (id: string, { publicKey, secretKey }: typeof OLD) =>
  `\n    - { id: ${id}, publicKey: ${publicKey}, secretKey: ${secretKey} }`;

test('keys are rotated under load as docs/operations.md says: no authentic delivery is answered 401', async () => {
  const cwd = temporaryFolder();
  const write = (...pairs: string[]) => writeFileSync(join(cwd, 'tallyhook.yaml'), `keys:\n  test:${pairs.join('')}\n`);
  write(pair('test-2026', OLD));
  const none = { TALLYHOOK_TEST_PUBLIC_KEY: '', TALLYHOOK_TEST_SECRET_KEY: '' };
  const serve = await Serve.start({ cwd, database: join(cwd, 'tallyhook.db'), env: none });
  const reload = async () => {
    const { length } = serve.allLogged('keys reloaded');
    serve.signal('SIGHUP');
    await until(() => serve.allLogged('keys reloaded').length > length, 'keys are reloaded');
  };

  let keys = OLD;
  const load = new Load(serve.url, { connections: 16, seed: 5, sign: (body) => signed(body, keys) });
  const more = async () => {
    const before = load.ackedTotal;
    await until(() => load.ackedTotal > before + 120, 'load is under way');
  };
  await more();
  write(pair('test-2027', NEW), pair('test-2026', OLD));
  await reload();
  await more();
  keys = NEW; // the service switches; deliveries under way are signed with the old key
  await more();
  write(pair('test-2027', NEW));
  await reload();
  await more();
  await load.stop();
  expect([...load.statuses.keys()]).toEqual([200]);
  expect([load.refused, load.unanswered]).toEqual([0, 0]);
  expect(serve.logged('delivery refused')).toBeUndefined();
});
