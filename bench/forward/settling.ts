import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../../src/sandbox/index.ts';
import { SubjectProcess } from '../ingest/subject-process.ts';
import { quantile } from '../statistics.ts';
import type { Workplace } from '../workplace.ts';
import { startApplication } from './targets.ts';

// How long confirmed news takes, with every setting at its default: from the acknowledgement of the webhook that reports a payment
// settled, until its news arrives at the application. The service is the sandbox.

const LONGEST_MS = 30_000;

export interface SettlingFigures {
  readonly payments: number;
  /** Without news after half a minute. */
  readonly missing: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export async function measureSettling(
  workplace: Workplace,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<SettlingFigures> {
  const folder = workplace.path('settling');
  mkdirSync(folder);
  const sandbox = await startSandbox({ seed: 1 });
  const application = await startApplication(2);
  const target = { name: 'shop', url: application.url, secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`] };
  const keys = { test: [sandbox.keys.test] };
  writeFileSync(
    join(folder, 'tallyhook.yaml'),
    JSON.stringify({ baseUrl: sandbox.url, keys, forward: { targets: [target] } }),
  );
  const receiver = await SubjectProcess.start(workplace, 'tallyhook', { database: join(folder, 'tallyhook.db') });
  const path = await startPath(`http://127.0.0.1:${receiver.port}/webhooks/test`);
  sandbox.setWebhookUrl(path.url);
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    await pay(sandbox, `B${sent}`);
    await wait(1_000 / perSecond);
  }
  const payments = perSecond * seconds;
  for (let waited = 0; application.arrivals.size < payments && waited < LONGEST_MS; waited += 100) await wait(100);
  const tookMs = [...path.acknowledged].flatMap(([reference, atMs]) => {
    const arrivedMs = application.arrivals.get(reference);
    return arrivedMs === undefined ? [] : [arrivedMs - atMs];
  });
  tookMs.sort((one, other) => one - other);
  await receiver.discard();
  await Promise.all([sandbox.close(), application.close(), path.close()]);
  const [p50Ms, p99Ms] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99)];
  return { payments, missing: payments - tookMs.length, p50Ms, p99Ms, maxMs: tookMs.at(-1) ?? Number.NaN };
}

async function pay(
  sandbox: { readonly url: string; readonly keys: { readonly test: { secretKey: string } } },
  reference: string,
) {
  const response = await fetch(`${sandbox.url}/api/s2s/v1/banktransfer/initialize`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.keys.test.secretKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', amount: '150.00', currency: 'NGN', reference, status: 'success' }),
  });
  if (!response.ok) throw new Error(`The sandbox refused a payment: ${response.status}.`);
}

/** Stands between service and receiver, and notes when each webhook was acknowledged. */
async function startPath(receiverUrl: string) {
  const acknowledged = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(receiverUrl, { method: 'POST', headers: headers as Record<string, string>, body });
    const reference = /"reference":"(B\d+)"/.exec(body.toString())?.[1];
    if (answer.ok && reference !== undefined) acknowledged.set(reference, performance.now());
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () =>
    new Promise<void>((closed) => {
      server.closeAllConnections();
      server.close(() => closed());
    });
  return { url, acknowledged, close };
}
