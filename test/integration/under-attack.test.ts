import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackFrom, memoryOf } from '../support/attacks/under-attack.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rawRequest } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// Short versions of test/long/attacks.test.ts: what must hold at any speed of the machine.

const MEBIBYTE = 1024 * 1024;
const STRANGER = '127.0.0.2';
/** The memory of serve may grow by this much; without a limit each of these attacks takes many times as much. */
const GROWTH_MIB = 100;

let serve: Serve;
let beforeMiB: number;

async function start(limits: string): Promise<void> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tallyhook.yaml'), `receiver: { trustProxy: [127.0.0.1], ${limits} }\n`);
  serve = await Serve.start({ cwd: folder, database: join(folder, 'tallyhook.db') });
  beforeMiB = memoryOf(serve).nowMiB;
}

/** Delivers authentic events, one after the other; returns their answers. */
async function deliver(count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let index = 0; index < count; index++) {
    const body = `{"event":"refund.pending","data":{"refund_reference":"H${index}"}}`;
    const headers = Object.entries(signed(body));
    statuses.add((await rawRequest(serve.url, { path: '/webhooks/test', headers, body })).status);
  }
  return statuses;
}

describe('large bodies', () => {
  beforeAll(() => start('requestTimeoutMs: 60000, headersTimeoutMs: 60000, bodiesLimitBytes: 8388608'));
  afterAll(() => serve.kill());

  test('bodies in one-byte chunks take the memory of their bytes', async () => {
    const attacker = attackFrom(serve.url, 'one-byte-chunks', { connections: 1, bodyBytes: 300_000, from: STRANGER });
    await until(() => (attacker.seen.answers[401] ?? 0) >= 1, 'a body of 300,000 chunks was read', 100_000);
    attacker.stop();
    expect(memoryOf(serve).peakMiB - beforeMiB).toBeLessThan(GROWTH_MIB);
    expect(await deliver(5)).toEqual(new Set([200]));
  });

  test('bodies of 1 MiB of which the last byte never comes are answered 503 beyond the limit; honest ones 200', async () => {
    const attacker = attackFrom(serve.url, 'large-bodies', { connections: 150, from: STRANGER });
    await until(() => attacker.seen.sentBytes > 150 * (MEBIBYTE - 1), 'every body was sent once', 100_000);
    await until(() => (attacker.seen.answers[503] ?? 0) > 0, 'some were given up', 100_000);
    expect(await deliver(20)).toEqual(new Set([200]));
    attacker.stop();
    expect(memoryOf(serve).peakMiB - beforeMiB).toBeLessThan(GROWTH_MIB);
  });
});

describe('every slot taken', () => {
  beforeAll(() => start('maxConnections: 100, maxConnectionsPerAddress: 20'));
  afterAll(() => serve.kill());

  test('idle connections of one address never take all slots', async () => {
    const attacker = attackFrom(serve.url, 'idle-hoarding', { connections: 120, from: STRANGER });
    await until(() => attacker.seen.opened >= 240, 'each tried twice');
    expect(await deliver(20)).toEqual(new Set([200]));
    attacker.stop();
    expect(await closedConnections('idle')).toBeGreaterThan(50);
  });

  test('when every slot is taken by the address of the sender itself, idle connections are closed first', async () => {
    const attacker = attackFrom(serve.url, 'silent-sockets', { connections: 150, from: '127.0.0.1' });
    await until(() => attacker.seen.opened >= 150, 'all slots were taken');
    expect(await deliver(20)).toEqual(new Set([200]));
    attacker.stop();
  });

  test('unfinished requests in every slot make room for an honest one', async () => {
    const attacker = attackFrom(serve.url, 'announced-bodies', { connections: 100, from: '127.0.0.1' });
    await until(() => attacker.seen.open === 100, 'all slots are taken');
    expect(await deliver(5)).toEqual(new Set([200]));
    attacker.stop();
    expect(await closedConnections('unfinished')).toBeGreaterThan(0);
  });
});

async function closedConnections(reason: string): Promise<number> {
  const page = await (await fetch(`${serve.adminUrl}/metrics`)).text();
  return Number(new RegExp(`^tallyhook_connections_closed_total\\{reason="${reason}"\\} (\\d+)`, 'm').exec(page)?.[1]);
}
