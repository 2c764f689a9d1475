import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';

test.each([
  ['192.0.2.1', /this machine has no such address/],
  ['no-such-name.invalid', /no address (is known|could be looked up) for this name/],
])('%s as the host of the receiver: one sentence, and a hint that names the setting', async (host, reason) => {
  const cwd = temporaryFolder();
  const env = {
    TALLYHOOK_DATABASE: join(cwd, 'tallyhook.db'),
    TALLYHOOK_PORT: '0',
    TALLYHOOK_ADMIN_PORT: '0',
    ...TEST_KEY_ENV,
    TALLYHOOK_HOST: host,
  };
  const { code, stderr } = await tallyhook(['serve'], { cwd, env });
  const [sentence = '', hint = ''] = stderr.trimEnd().split('\n');
  expect(sentence).toContain(`The receiver cannot listen on ${host}:0: `);
  expect(sentence).toMatch(reason);
  expect(hint).toContain(`Change receiver.host `);
  expect(code).toBe(2);
});
