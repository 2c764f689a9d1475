import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/confirm/sweep.ts';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { verifyVerdict } from '../../src/domain/requests/callback-verdict.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { packageFile } from '../../src/package-root.ts';
import { type Client, createClient, memoryJournal } from '../../src/service/index.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import { type Consequence, KINDS, type Kind, MONEY, matrixTable, type Place, ROWS } from '../support/answer-matrix.ts';
import { type AnsweringService, answeringService } from '../support/answering-service.ts';
import { command } from '../support/command.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { openOperations } from '../support/operations.ts';
import { keyPairOf, startReceiver, type TestReceiver } from '../support/receiver.ts';
import { errorOf } from '../support/service.ts';
import { TEST_KEYS } from '../support/signer.ts';
import { EXACT } from '../support/sweeping.ts';

// Each answer of the matrix, at each place where the service is asked, about a record that signed webhooks made in the
// production app. The expectations are those of the matrix.

const SECRET = 'signs the verdicts of this test, long enough';
const named = (place: Place, kind: Kind, index: number) => `${place}-of-a-${kind}-${String(index).padStart(4, '0')}`;
const cells = (kinds: readonly Kind[] = KINDS) =>
  kinds.flatMap((kind) =>
    ROWS.map((row, index) => ({ kind, index, row, what: row.answer })).filter(({ row }) => row.kinds.includes(kind)),
  );
const GUESSED = ['payout', 'collection'] as const;

/** The answer for the reference in a path. */
function reaction(method: string, path: string): readonly [number, unknown] {
  const [reference = '', kind, index] = /\w+-of-a-(\w+)-(\d+)/.exec(path) ?? [];
  const row = ROWS[Number(index)];
  if (method !== 'GET' || row === undefined) return [404, { success: false, message: 'unknown' }];
  return row.body(kind as Kind, reference);
}

let service: AnsweringService;
let receiver: TestReceiver;
let operations: OpenOperations;
const clock = new FixedClock();
const client = (options: object = {}): Client =>
  createClient({
    baseUrl: service.url,
    secretKey: TEST_KEYS.secretKey,
    retries: 0,
    journal: memoryJournal(),
    ...options,
  });

/** The webhook that makes the record: not settled, or for a payout `failed`, which `success` contradicts. */
function webhook(kind: Kind, reference: string): object {
  const time = { updated_at: '2026-11-20T09:00:00Z' };
  if (kind === 'refund') {
    return {
      event: 'refund.pending',
      data: { refund_reference: reference, status: 'pending', ...MONEY.refund, ...time },
    };
  }
  if (kind === 'payout') {
    return { notify: 'payout', notifyType: 'failed', data: { reference, status: 'failed', ...MONEY.payout, ...time } };
  }
  const data = { reference, status: 'pending', ...MONEY.collection, ...time };
  return { notify: 'transaction', notifyType: 'pending', data };
}

const records = (kind: Kind, reference: string) => {
  const [record] = receiver.rows<{ id: number; confirmed: string | null; reported: string | null }>(
    `SELECT id, confirmed, reported FROM ${kind}s WHERE reference = '${reference}' AND environment = 'test'`,
  );
  const of = `kind = '${kind}' AND record_id = ${record?.id}`;
  return {
    ...record,
    outcome: receiver.rows<{ outcome: string }>(`SELECT outcome FROM checks WHERE ${of}`)[0]?.outcome,
    answers: receiver.rows(`SELECT 1 FROM observations WHERE ${of} AND witness = 'api'`).length,
    findings: receiver
      .rows<{ code: string; subject: string }>(`SELECT code, subject FROM findings WHERE ${of} AND closed_at IS NULL`)
      .map(({ code, subject }) => `${code} ${subject}`),
  };
};

async function sweepNow(place: Place, kinds: readonly Kind[], proven: readonly ('payout' | 'collection')[]) {
  const proofs: string[] = [];
  const clients = new Map([
    ['test', client({ proven, onProven: (endpoint: string) => proofs.push(endpoint) })] as const,
  ]);
  const signal = new AbortController().signal;
  const parts = {
    operations,
    clients,
    clock,
    random: () => 0,
    zone: 'UTC',
    signal,
    cutOff: signal,
    sleep: clock.sleep,
  };
  for (const { kind, index } of cells(kinds)) {
    const isControl = ROWS[index]?.expected.guessed === 'proven';
    if (place === 'guessed' && isControl) continue;
    const filter = { kinds: [kind], environments: ['test'], reference: named(place, kind, index) } as const;
    await sweep({ filter, limit: null, concurrency: 1, perSecond: null, leaseMs: 60_000, giveUpMs: 1_000 }, parts);
  }
  return proofs;
}

const visit = async (reference: string) => {
  const response = await fetch(`${receiver.url}/callback/test?reference=${reference}`, { redirect: 'manual' });
  const token = new URL(response.headers.get('location') ?? '').searchParams.get('verdict');
  const checked = verifyVerdict(token, SECRET, clock.nowMs());
  return checked.ok ? checked.verdict : null;
};

let guessedProofs: string[];
beforeAll(async () => {
  service = await answeringService(reaction);
  const callback = {
    page: 'https://shop.example/thanks',
    secret: new Secret(SECRET),
    perMinute: 1_000,
    perAddressPerMinute: 1_000,
  };
  const keyPairs = [keyPairOf('test-1', TEST_KEYS)];
  receiver = await startReceiver({ clock, keyPairs, baseUrl: service.url, callback });
  operations = openOperations(receiver.database, EXACT, clock);
  for (const place of ['sweep', 'guessed', 'callback'] as const) {
    const webhooks = cells().map(({ kind, index }) => JSON.stringify(webhook(kind, named(place, kind, index))));
    await Promise.all(webhooks.map((body) => receiver.post('/webhooks/test', body)));
  }
  await receiver.carriedOut();
  const expectation = { amount: parseAmount('40.00'), currency: 'USD', expectedByMs: null };
  const expected = cells(['collection']).map(({ index }) => {
    return {
      ...expectation,
      kind: 'collection',
      environment: 'test',
      reference: named('callback', 'collection', index),
    } as const;
  });
  await operations.tracking.track({ expected });
  guessedProofs = await sweepNow('guessed', GUESSED, []);
  await sweepNow('sweep', KINDS, ['payout', 'collection']);
});
afterAll(async () => {
  await operations.close();
  await receiver.stop();
  await service.close();
});

/** What a record is after a sweep, by the consequence and the answer. */
function afterSweep(kind: Kind, consequence: Consequence, answer: string) {
  const reported = kind === 'payout' ? 'failed' : 'pending';
  if (consequence === 'taken') return { confirmed: 'success', reported, outcome: 'answered', answers: 1, findings: [] };
  if (consequence === 'taken, finding') {
    const field = kind === 'collection' ? 'requestedAmount' : 'amount';
    if (/charge/.test(answer)) {
      return { confirmed: 'success', reported, outcome: 'answered', answers: 1, findings: ['underpaid amount'] };
    }
    const code = /read/.test(answer) ? 'unreadable_amount' : 'fact_conflict';
    return { confirmed: 'success', reported, outcome: 'answered', answers: 1, findings: [`${code} ${field}`] };
  }
  const still = { confirmed: null, reported, answers: 0 };
  if (consequence === 'waits') return { ...still, outcome: kind === 'payout' ? 'pending' : 'unreadable', findings: [] };
  const about = /currency/.test(answer) ? 'currency' : 'environment';
  return { ...still, outcome: 'unreadable', findings: consequence === 'nothing' ? [] : [`other_answer ${about}`] };
}

describe('a sweep', () => {
  test.each(cells())('$kind: $what', ({ kind, index, row }) => {
    expect(records(kind, named('sweep', kind, index))).toMatchObject(afterSweep(kind, row.expected.sweep, row.answer));
  });

  test('an endpoint that is not proven stays so, and no record moves', () => {
    expect(guessedProofs).toEqual([]);
    for (const { kind, index, row } of cells(GUESSED)) {
      if (row.expected.guessed === 'proven') continue;
      const waits = kind === 'payout' && row.expected.sweep === 'waits';
      const { findings } = afterSweep(kind, row.expected.sweep, row.answer);
      const expected = { confirmed: null, answers: 0, outcome: waits ? 'pending' : 'unproven', findings };
      expect([row.answer, records(kind, named('guessed', kind, index))]).toMatchObject([row.answer, expected]);
    }
  });

  test('why says that the answer cannot be used, and that nothing is confirmed', async () => {
    const env = { TALLYHOOK_DATABASE: receiver.database };
    const without = ROWS.findIndex(({ answer }) => answer === 'no reference');
    const elsewhere = ROWS.findIndex(({ answer }) => answer === '`domain` beside `data`');
    const why = async (kind: Kind, index: number) =>
      (await command(['why', named('sweep', kind, index)], { cwd: receiver.folder, env })).stdout.replace(/\s+/g, ' ');
    expect(await why('payout', without)).toMatch(/confirmed nothing.*the response cannot be used \(.*names no payout/);
    expect(await why('refund', elsewhere)).toMatch(
      /confirmed nothing.*\(other_answer\) opened.*about the other environment/,
    );
    const currency = ROWS.findIndex(({ answer }) => answer === 'another currency');
    expect(await why('payout', currency)).toMatch(
      /the answer cannot be used: it states KES, and the payout is in NGN \(other_currency\)\)\. /,
    );
    const [finding] = receiver.rows<{ id: number }>(
      `SELECT id FROM findings WHERE code = 'other_answer' AND subject = 'currency' AND closed_at IS NULL LIMIT 1`,
    );
    const shown = await command(['findings', 'show', String(finding?.id)], { cwd: receiver.folder, env });
    expect(shown.stdout.replace(/\s+/g, ' ')).toContain('if you mistyped the currency, track it again.');
    const envelope = ROWS.findIndex(({ answer }) => answer === 'another reference around the record');
    expect(await why('collection', envelope)).toContain(
      'the envelope names another reference: "another-0001" (other_reference)).',
    );
  });
});

describe('a status command', () => {
  const statusOf = ({ refunds, payouts, collections }: Client, kind: Kind, reference: string) =>
    ({ refund: refunds.status, payout: payouts.status, collection: collections.verify })[kind](reference);

  test.each(cells())('$kind: $what', async ({ kind, index, row }) => {
    const one = client({ proven: [] });
    const asked = statusOf(one, kind, named('command', kind, index));
    const consequence = row.expected.command;
    const shown = consequence === 'taken' || (consequence === 'usd only' && kind !== 'refund');
    if (shown) expect(await asked).toMatchObject({ status: 'success' });
    else if (consequence === 'waits' && kind === 'payout') expect(await asked).toMatchObject({ status: 'pending' });
    else {
      const error = await errorOf(asked);
      const unreadable = kind === 'refund' ? error : (error as Error).cause;
      expect(unreadable).toMatchObject({ name: 'UnreadableAnswerError' });
    }
    if (kind !== 'refund') expect(one.endpointState(kind)).toBe(shown ? 'proven' : 'unproven');
  });
});

/** The rows for the answer to a request. */
const open = cells().filter(({ kind, row }) => kind !== 'refund' || row.namesAnother !== true);

/** Makes the request for a record, once. */
async function request({ payouts, refunds, collections }: Client, kind: Kind, reference: string): Promise<unknown> {
  const amount = parseAmount(MONEY[kind].amount);
  if (kind === 'refund') return refunds.request({ transactionReference: 'TX_81', amount });
  if (kind === 'collection') {
    return collections.bankTransfer({ email: 'ada@example.com', amount, currency: 'USD', reference });
  }
  const account = { bankCode: '1', bankName: 'B', accountNumber: '0000000001', narration: 'n' };
  return payouts.send({ ...account, ...MONEY.payout, amount, reference });
}

describe('a request', () => {
  test.each(open)('$kind: $what', async ({ kind, index, row }) => {
    const reference = named('request', kind, index);
    const one = await answeringService((method) =>
      method === 'POST' ? row.body(kind, reference) : [404, { success: false, message: 'unknown' }],
    );
    try {
      const outcome = request(client({ baseUrl: one.url }), kind, reference);
      const consequence = row.expected.request;
      if (consequence === 'unknown' || (consequence === 'accepted' && kind === 'refund')) {
        expect(await errorOf(outcome)).toMatchObject({ name: 'AmbiguousOutcomeError' });
      } else if (kind === 'refund') {
        expect(await outcome).toMatchObject({ refund: { refundReference: reference, status: 'success' } });
      } else if (kind === 'payout') {
        const status = consequence === 'taken' ? 'success' : 'pending';
        expect(await outcome).toMatchObject({ known: 'answered', payout: { reference, status } });
      } else {
        expect(await outcome).toMatchObject({ known: 'answered', reference });
        if (consequence === 'accepted') expect(await outcome).toMatchObject({ status: null });
      }
    } finally {
      await one.close();
    }
  });
});

describe('a request after a 502', () => {
  /** Sends once, is answered 502, and sends or asks again, which is answered by the row; unless that is enough, once more. */
  async function resolved(kind: Kind, row: (typeof ROWS)[number], reference: string): Promise<unknown> {
    let posts = 0;
    const after = await answeringService((method) => {
      if (method === 'POST' && ++posts === 1) return [502, {}];
      if (method === 'GET' && kind === 'refund') return [404, { success: false, message: 'no list' }];
      return row.body(kind, reference);
    });
    try {
      const one = client({ baseUrl: after.url });
      // Of a payout the first request checks the status by itself.
      const isEnough = kind === 'payout' && row.expected.after502 !== 'unknown';
      if (isEnough) return await request(one, kind, reference);
      const first = await errorOf(request(one, kind, reference));
      expect(first).toMatchObject({ name: 'AmbiguousOutcomeError' });
      if (row.expected.after502 !== 'unknown') return await request(one, kind, reference);
      const again = await errorOf(request(one, kind, reference));
      expect(again).toMatchObject({ name: 'AmbiguousOutcomeError', operation: kind });
      return await request(one, kind, reference);
    } finally {
      await after.close();
    }
  }

  test.each(open)('$kind: $what', async ({ kind, index, row }) => {
    const outcome = resolved(kind, row, named('after502', kind, index));
    if (row.expected.after502 === 'unknown') {
      expect((await errorOf(outcome)) as Error).toMatchObject({ name: 'AmbiguousOutcomeError', operation: kind });
    } else if (kind === 'refund') {
      expect(await outcome).toMatchObject({ refund: { refundReference: named('after502', kind, index) } });
    } else expect(await outcome).toMatchObject({ known: 'checked' });
  });
});

describe('the callback of a tracked payment', () => {
  test.each(cells(['collection']))('$what', async ({ index, row }) => {
    const reference = named('callback', 'collection', index);
    const { callback, sweep: swept } = row.expected;
    expect(await visit(reference)).toMatchObject({ verdict: callback, reference });
    const { confirmed, findings } = records('collection', reference);
    expect(confirmed).toBe(swept.startsWith('taken') ? 'success' : null);
    expect(findings.some((one) => one.startsWith('other_answer'))).toBe(swept === 'nothing, finding');
  });
});

test('docs/reliability.md has the matrix', () => {
  expect(readFileSync(packageFile('docs/reliability.md'), 'utf8')).toContain(matrixTable());
});
