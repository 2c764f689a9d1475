import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { startService } from '../support/service.ts';
import { tallyhook } from '../support/tallyhook.ts';

const { sandbox } = await startService();
const cwd = temporaryFolder();
const env = {
  TALLYHOOK_BASE_URL: sandbox.url,
  TALLYHOOK_DATABASE: join(cwd, 'events.db'),
  TALLYHOOK_TEST_PUBLIC_KEY: sandbox.keys.test.publicKey,
  TALLYHOOK_TEST_SECRET_KEY: sandbox.keys.test.secretKey,
};
/** The output of every command. */
const outputs: string[] = [];
const run = async (args: string[], input = '') => {
  const ended = await (input === '' ? command(args, { cwd, env }) : tallyhook(args, { cwd, env, input }));
  outputs.push(ended.stdout, ended.stderr);
  return ended;
};
const json = async (args: string[], input = '') => {
  const { code, stdout, stderr } = await run([...args, '--json'], input);
  return { code, stderr, result: stdout === '' ? null : JSON.parse(stdout) };
};
const CARD = '4000000000000002';
afterAll(() => {
  const kept = readdirSync(cwd).map((file) => readFileSync(join(cwd, file), 'latin1'));
  expect(kept.join('')).toContain('order-of-the-shell-1');
  for (const canary of [CARD, sandbox.keys.test.secretKey]) {
    expect(outputs.join('')).not.toContain(canary);
    expect(kept.join('')).not.toContain(canary);
  }
});

const PAYOUT = ['payouts', 'send', '--amount', '1500.50', '--bank-code', '990001', '--bank-name', 'Bank One'];
const TO = ['--account', '0000000001', '--narration', 'Invoice 17', '--reference', 'payout-of-invoice-17'];

test('a refund from the shell: card from stdin, plan without --yes, one refund with it, tracked', async () => {
  const reference = 'order-of-the-shell-1';
  const start = ['collections', 'start', 'card', '--amount', '20', '--currency', 'USD', '--email', 'ada@example.com'];
  const paid = await run([...start, '--reference', reference, '--yes'], `${CARD}\n12\n30\n123\n`);
  expect(paid).toMatchObject({ code: 0, stdout: expect.stringContaining(reference) });
  sandbox.setBalance({ currency: 'USD', available: '500.00' });

  const request = ['refunds', 'request', reference, '--amount', '5.00'];
  const plan = await json(request);
  expect(plan).toMatchObject({
    code: 2,
    result: { sent: false, request: { amount: '5.00' } },
    stderr: /Nothing was sent/,
  });
  expect(sandbox.refunds()).toEqual([]);

  const { result } = await json([...request, '--yes']);
  expect(result).toMatchObject({ repeated: false, refund: { amount: '5.00', status: 'pending' } });
  const { refundReference } = result.refund;
  const [status, list, shown, collection, verified] = await Promise.all([
    json(['refunds', 'status', refundReference]),
    json(['refunds', 'list', '--remote']),
    json(['refunds', 'show', refundReference]),
    json(['collections', 'show', reference]),
    json(['collections', 'verify', reference]),
  ]);
  expect(status.result).toMatchObject({ refundReference, status: 'pending' });
  expect(list.result).toMatchObject({ items: [{ refundReference }], shown: 1, total: 1, more: false });
  const facts = { amount: '5.00', currency: 'USD' };
  const csv = await run(['refunds', 'list', '--remote', '--format', 'csv']);
  expect(csv).toMatchObject({ code: 0, stderr: '' });
  const [row, ...others] = parse(csv.stdout, { columns: true }) as Record<string, string>[];
  expect(others).toEqual([]);
  const own = {
    reference: refundReference,
    status: 'pending',
    amount: '5.00',
    currency: 'USD',
    transaction: reference,
  };
  expect(row).toMatchObject({ ...own, requested_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+01:00$/) });
  const both = await run(['refunds', 'list', '--remote', '--format', 'csv', '--json']);
  expect(both).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/--json and --format csv/) });
  expect(shown.result).toMatchObject([
    { confirmed: null, dueAt: expect.any(String), facts, observations: [{ witness: 'request' }] },
  ]);
  expect(collection.result).toMatchObject([{ facts: { requestedAmount: '20.00', currency: 'USD' } }]);
  expect(verified.result).toMatchObject({ status: 'success', requestedAmount: '20.00' });
});

test('a payout from the shell: masked plan, sent once, known afterwards', async () => {
  const plan = await run([...PAYOUT, ...TO]);
  expect(plan).toMatchObject({ code: 2, stdout: expect.stringContaining('••••••0001') });
  expect(plan.stdout).not.toContain('0000000001');
  expect(sandbox.payouts()).toEqual([]);
  expect((await json([...PAYOUT, ...TO, '--yes'])).result).toMatchObject({
    known: 'answered',
    payout: { amount: '1500.50' },
  });
  expect((await json([...PAYOUT, ...TO, '--yes'])).result).toMatchObject({ known: 'checked' });
  expect(sandbox.payouts()).toHaveLength(1);
  expect((await json(['payouts', 'show', 'payout-of-invoice-17'])).result).toMatchObject([
    { facts: { amount: '1500.50' } },
  ]);
});

test('a card number among the arguments is refused, and not repeated', async () => {
  const start = ['collections', 'start'];
  const rest = ['--amount', '5', '--email', 'ada@example.com'];
  const grouped = CARD.replace(/(....)(?=.)/g, '$1 ');
  const ended = await Promise.all([
    run([...start, CARD, ...rest]),
    run([...start, 'card', CARD, ...rest]),
    run([...start, 'card', grouped, ...rest]),
  ]);
  for (const each of ended)
    expect(each).toMatchObject({ code: 2, stderr: expect.stringMatching(/•••(.|\n)*from a prompt/) });
  expect(outputs.join('')).not.toContain(grouped);
});

test('a plan names the reference to pass with --yes, and the run uses it', async () => {
  const collect = ['collections', 'start', 'bank-transfer', '--amount', '500', '--email', 'ada@example.com'];
  const planned = async (args: string[]) => {
    const [plan, unplanned] = await Promise.all([json(args), json([...args, '--yes'])]);
    const { reference } = plan.result.request;
    expect(plan.stderr).toContain(`To send it, add --yes --reference ${reference}.`);
    expect(unplanned.stderr).toContain(`The reference is ${(unplanned.result.payout ?? unplanned.result).reference}.`);
    const sent = await json([...args, '--yes', '--reference', reference]);
    expect((sent.result.payout ?? sent.result).reference).toBe(reference);
    expect(sent.stderr).not.toContain('The reference is');
    expect((await json([...args, '--yes', '--reference', reference])).result).toMatchObject({ known: 'checked' });
  };
  const [named] = await Promise.all([
    run([...PAYOUT, ...TO]),
    planned([...PAYOUT, ...TO.slice(0, 4)]),
    planned(collect),
  ]);
  expect(named.stderr).toContain('To send it, add --yes.');
});

test('banks, the name on an account, one status of a payout; exit code 1 when the service refuses', async () => {
  const [banks, name, status, unknown] = await Promise.all([
    json(['payouts', 'banks', 'kes']),
    json(['payouts', 'verify-account', '990001', '0000000001']),
    json(['payouts', 'status', 'payout-of-invoice-17']),
    run(['payouts', 'verify-account', '990001', '1234567890']),
  ]);
  expect(banks.result).toMatchObject({ currency: 'KES' });
  expect(name.result).toEqual({ accountName: 'Ada Sandbox' });
  expect(status.result).toMatchObject({ currency: 'NGN' });
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(/^tallyhook: POST \/api\/v1\/account_name_verify \(422\).*\nCheck account number/);
});

test('a status in another currency than the expected one is not shown as the status', async () => {
  const reference = 'payout-of-invoice-17';
  await run(['track', 'payout', reference, '--amount', '1500.50', '--currency', 'KES']);
  const other = await run(['payouts', 'status', reference]);
  await run(['track', 'payout', reference, '--amount', '1500.50', '--currency', 'NGN']);
  expect(other).toMatchObject({ code: 1, stdout: '' });
  expect(other.stderr).toMatch(/it states NGN, and the payout is in KES \(other_currency\)/);
  expect((await json(['payouts', 'status', reference])).result).toMatchObject({ currency: 'NGN' });
});

test('the other channels and checkout start a payment', async () => {
  const email = ['--email', 'ada@example.com', '--yes'];
  const phone = ['--phone', '254700000001', '--bank-name', 'Sandbox Mobile Money Kenya', '--yes'];
  const page = ['--name', 'Ada', '--email', 'ada@example.com', '--callback-url', 'https://shop.example/thanks'];
  const [ussd, momo, checkout, incomplete] = await Promise.all([
    json(['collections', 'start', 'ussd', '--amount', '500', '--bank-code', '990001', '--wallet', ...email]),
    json(['collections', 'start', 'momo', '--amount', '500', ...phone]),
    json(['checkout', 'start', '--amount', '500', ...page]),
    run(['collections', 'start', 'momo', '--amount', '5', '--yes']),
  ]);
  const named = await run([
    'collections',
    'start',
    'ussd',
    '--amount',
    '5',
    '--field',
    'bank=058',
    ...email.slice(0, 2),
  ]);
  expect(named.stdout).toMatch(/bank +058/);
  for (const [fields, says] of [
    [['bank'], /--field is "bank", and must be NAME=VALUE/],
    [['bank=1', '--field', 'bank=2'], /--field bank is given twice/],
    [['amount=1'], /fields\.amount is for what the interface does not show/],
  ] as const)
    expect(await run(['collections', 'start', 'ussd', '--amount', '5', '--field', ...fields, ...email])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(says),
    });
  expect(ussd.result.ussdCode).toMatch(/^\*/);
  expect(momo.code).toBe(0);
  expect(checkout.result.authorizationUrl).toBe(`${sandbox.checkoutUrl}/pay/${checkout.result.reference}`);
  expect(incomplete).toMatchObject({ code: 2, stderr: expect.stringMatching(/needs --phone/) });
});

test('a bank transfer shows in full the account to pay into; a dry run shows the e-mail address masked', async () => {
  const collect = ['collections', 'start', 'bank-transfer', '--amount', '500', '--email', 'ada@example.com'];
  const [planned, text, started, intoWallet] = await Promise.all([
    run(collect),
    run([...collect, '--yes']),
    json([...collect, '--yes']),
    json([...collect, '--wallet', '--yes']),
  ]);
  expect(planned.stdout).toContain('a•••@example.com');
  expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^virtual account account number +\d{10}$/m) });
  for (const { result } of [started, intoWallet]) {
    expect(result.virtualAccount).toMatchObject({
      accountName: 'Sandbox Collections',
      accountNumber: expect.stringMatching(/^\d{10}$/),
    });
  }
});

test('of a list that ends too early the rows are printed, with exit code 1', async () => {
  const listed = { success: true, data: [{ refund_reference: 'R-1', status: 'pending' }], meta: { total: 2 } };
  const short = await hostileServer((socket, request) =>
    socket.write(answer(200, JSON.stringify(request.includes('page=1') ? listed : { data: [] }))),
  );
  const ended = await command(['refunds', 'list', '--remote', '--json'], {
    cwd,
    env: { ...env, TALLYHOOK_BASE_URL: short.url },
  });
  expect(JSON.parse(ended.stdout)).toMatchObject({ items: [{ refundReference: 'R-1' }], total: null, more: true });
  expect(ended).toMatchObject({ code: 1, stderr: /The list is not complete \(short\): it announced 2/ });
});
