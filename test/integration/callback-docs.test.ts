import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signVerdict, type Verdict } from '../../src/domain/requests/callback-verdict.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { writePrograms } from '../support/documents/programs.ts';
import { merchantsProject } from '../support/installed-package.ts';
import { spawn } from '../support/processes.ts';

const SECRET = 'the secret of a merchant and its page';
const folder = await merchantsProject();
const [page = ''] = writePrograms(folder, 'docs/callback.md');
const child = spawn(process.execPath, [page], {
  cwd: folder,
  env: { PATH: process.env.PATH ?? '', VERDICT_SECRET: SECRET, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
afterAll(() => child.kill());

let url: string;
beforeAll(async () => {
  const [line] = await once(child.stdout, 'data');
  url = `http://127.0.0.1:${JSON.parse(String(line)).port}`;
});

const PAID: Verdict = {
  verdict: 'success',
  environment: 'live',
  reference: 'order-17',
  amount: '1000.50',
  currency: 'NGN',
  expiresAtMs: 4_000_000_000_000,
};
const shown = async (over: Partial<Verdict>, secret = SECRET) => {
  const token = signVerdict({ ...PAID, ...over }, new Secret(secret));
  return (await fetch(`${url}/thanks?verdict=${token}`)).text();
};

test.each([
  ['paid', {}, 'Thank you, your payment has arrived.'],
  ['paid with test money', { environment: 'test' }, 'We have not heard'],
  ['paid another amount', { amount: '1.00' }, 'We have not heard'],
  ['paid another currency', { currency: 'KES' }, 'We have not heard'],
  ['paid another order', { reference: 'order-18' }, 'We have not heard'],
  ['an amount that the service did not say', { amount: null }, 'We have not heard'],
  ['not paid', { verdict: 'failed' }, 'The payment failed.'],
  ['pending', { verdict: 'pending' }, 'We have not heard'],
  ['unknown', { verdict: 'unknown', reference: null, amount: null, currency: null }, 'We have not heard'],
  ['yesterday’s verdict', { expiresAtMs: 1_000 }, 'Please look into your orders.'],
] satisfies [string, Partial<Verdict>, string][])('the page of docs/callback.md: %s', async (_name, over, sentence) => {
  expect(await shown(over)).toContain(sentence);
});

test('the page of docs/callback.md trusts no other token', async () => {
  expect(await shown({}, 'the secret of another shop, long enough')).toContain('Please look');
  expect(await (await fetch(`${url}/thanks?verdict=x`)).text()).toContain('Please look');
  expect(await (await fetch(`${url}/thanks`)).text()).toContain('Please look');
});
