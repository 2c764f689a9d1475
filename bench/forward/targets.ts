import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { configSchema } from '../../src/config/schema.ts';

export const silentLog = pino({ level: 'silent' });

/** An application that takes news. */
export interface Application {
  readonly url: string;
  /** References with the time at which their first news came, by `performance.now`. */
  readonly arrivals: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/** Answers after `answerMs`. */
export async function startApplication(answerMs: number): Promise<Application> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { reference } = JSON.parse(Buffer.concat(chunks).toString());
      if (!arrivals.has(reference)) arrivals.set(reference, performance.now());
      setTimeout(() => response.writeHead(204).end(), answerMs);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A configuration with these targets of received events. */
export function forwardConfig(
  targets: readonly { readonly name: string; readonly url: string; readonly concurrency?: number }[],
) {
  const secrets = targets.map((_, n) => [`whsec_${Buffer.alloc(32, n + 1).toString('base64')}`]);
  const all = targets.map((target, n) => ({
    ...target,
    secrets: secrets[n] ?? [],
    when: 'received' as const,
    timeoutMs: 60_000,
  }));
  return configSchema.parse({ forward: { targets: all } });
}
