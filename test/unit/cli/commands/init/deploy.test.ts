import { expect, test } from 'vitest';
import { deploymentFiles, deploymentSteps, publicAddress } from '../../../../../cli/commands/init/deploy.ts';
import { loadConfig } from '../../../../../src/config/load.ts';

test('the certificate is made before nginx reads the block that names it', () => {
  const steps = deploymentSteps('/etc/tallyhook', publicAddress('https://hooks.example.com:8443'));
  const at = (part: string) => steps.findIndex((step) => step.includes(part));
  expect(steps[at('certbot')]).toBe('certbot certonly --nginx -d hooks.example.com');
  expect([at('useradd'), at('enable --now'), at('certbot'), at('conf.d'), at('nginx -t')]).toEqual([0, 3, 4, 5, 6]);
});

test.each([
  ['https://hooks.example.com', '443'],
  ['https://hooks.example.com:8443', '8443'],
])('nginx serves %s by its name, at port %s', (publicUrl, port) => {
  const block = deploymentFiles(loadConfig({ env: {}, cwd: '/' }), {
    programs: { node: '/usr/bin/node', launcher: '/usr/bin/tallyhook' },
    file: '/etc/tallyhook/tallyhook.yaml',
    address: publicAddress(publicUrl),
  })['nginx.conf'];
  const values = (directive: string) =>
    [...(block?.matchAll(RegExp(`^  ${directive} (.*);$`, 'gm')) ?? [])].map(([, value]) => value);
  expect(values('listen')).toEqual([`${port} ssl`]);
  expect(values('server_name')).toEqual(['hooks.example.com']);
  expect(values('ssl_certificate')).toEqual(['/etc/letsencrypt/live/hooks.example.com/fullchain.pem']);
  expect(values('ssl_certificate_key')).toEqual(['/etc/letsencrypt/live/hooks.example.com/privkey.pem']);
});
