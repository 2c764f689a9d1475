import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseAmount } from '../../src/service/index.ts';
import { openStore } from '../../src/store/open.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { payout } from '../support/sample-requests.ts';
import { scriptedService } from '../support/scripted-service.ts';

// A request that the service refused, from the client to the printed story: what the service said is kept, without secrets.

const folder = temporaryFolder();
const path = join(folder, 'tallyhook.db');
const store = openStore(path);
const journal = await store.requestJournal();
const archive = await store.archive();
afterAll(() => Promise.all([journal.close(), archive.close()]));

const refusing = async (status: number, body: object) =>
  (await scriptedService(() => [status, body])).clientWith({ journal });
const refund = (transactionReference: string) => ({ transactionReference, amount: parseAmount('50') });
const refusals = async (reference: string) =>
  (await archive.story(reference, {})).requests.map(({ refusal }) => refusal);

test('why says the HTTP status and the message of the refusal, in text and JSON', async () => {
  const client = await refusing(422, {
    success: false,
    message: 'Refused.',
    errors: { amount: ['Only 30.00 is left.'] },
  });
  await expect(client.refunds.request(refund('ORDER'))).rejects.toThrow();
  const run = (...args: string[]) =>
    command(['why', 'ORDER', ...args], { cwd: folder, env: { TALLYHOOK_DATABASE: path } });
  expect((await run()).stdout).toContain('The service refused it (422): "Refused. amount: Only 30.00 is left.".');
  const result = JSON.parse((await run('--json')).stdout);
  expect(result.requests[0].story[1].facts).toMatchObject({
    state: 'refused',
    httpStatus: 422,
    message: 'Refused. amount: Only 30.00 is left.',
  });
  expect(undocumentedFields(result, ['why'])).toEqual([]);
});

test('secrets are hidden, and a long message is cut', async () => {
  const secrets = 'key sk_test_0123456789abcdef, card 5100 0000 0000 0008, account 0123456789';
  const client = await refusing(400, {
    success: false,
    message: secrets,
    errors: { a: 'x'.repeat(700), b: 'y'.repeat(700) },
  });
  await expect(client.payouts.send(payout({ reference: 'P1', accountNumber: '0123456789' }))).rejects.toThrow();
  const [refusal] = await refusals('P1');
  expect(refusal).toMatchObject({ httpStatus: 400, message: /^key •••, card •••, account ••• a: x{500}/ });
  expect(refusal?.message).toHaveLength(1_000);
});

test('of a service that was never reached there is no status, and of a rate limit the status', async () => {
  const { clientWith } = await scriptedService(() => 'cut');
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  await expect(clientWith({ journal, baseUrl }).refunds.request(refund('UNREACHED'))).rejects.toThrow();
  expect(await refusals('UNREACHED')).toMatchObject([
    { httpStatus: null, message: /cannot be reached \(ECONNREFUSED\)/ },
  ]);
  const limited = await refusing(429, { success: false, message: 'Slow down.' });
  await expect(limited.refunds.request(refund('LIMITED'))).rejects.toThrow();
  expect(await refusals('LIMITED')).toEqual([{ httpStatus: 429, message: 'Slow down.' }]);
});
