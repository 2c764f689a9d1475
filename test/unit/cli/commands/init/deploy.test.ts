import { expect, test } from 'vitest';
import { deploymentSteps } from '../../../../../cli/commands/init/deploy.ts';

test('the certificate is made before nginx reads the block that names it', () => {
  const steps = deploymentSteps('/etc/tallyhook', 'hooks.example.com:8443');
  const at = (part: string) => steps.findIndex((step) => step.includes(part));
  expect(steps[at('certbot')]).toBe('certbot certonly --nginx -d hooks.example.com');
  expect([at('useradd'), at('enable --now'), at('certbot'), at('conf.d'), at('nginx -t')]).toEqual([0, 3, 4, 5, 6]);
});
