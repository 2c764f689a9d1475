import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { packageFile } from '../../../src/package-root.ts';
import { makeStandIn, Shell } from '../documents/shell.ts';
import { FixedClock } from '../fixed-clock.ts';
import { statusPathOf, webhookOf } from '../month/tell.ts';
import { startReceiver } from '../receiver.ts';
import { LIVE_KEYS } from '../signer.ts';

/* The month of the guide: files, records and the service, as they are before its first command. */

const FILES = packageFile('test/fixtures/guide');
/** The key of the audit, which the program would make at random. */
const AUDIT_KEY = '5f'.repeat(32);

interface GuideRecord {
  readonly kind: RecordKind;
  /** No webhook ever came. */
  readonly lost?: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A terminal in a folder with the files of the month, a database that had its webhooks, and a service that answers. */
export class GuideMonth {
  readonly folder: string;
  /** The configuration of its program that is no file. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #shell: Shell;
  readonly #service: Server;

  private constructor(folder: string, variables: Readonly<Record<string, string>>, shell: Shell, service: Server) {
    this.folder = folder;
    this.variables = variables;
    this.#shell = shell;
    this.#service = service;
  }

  static async in(folder: string): Promise<GuideMonth> {
    const records = JSON.parse(readFileSync(join(FILES, 'records.json'), 'utf8')) as GuideRecord[];
    for (const name of readdirSync(FILES))
      if (name !== 'records.json') copyFileSync(join(FILES, name), join(folder, name));
    writeFileSync(join(folder, 'audit.key'), `${AUDIT_KEY}\n`, { mode: 0o600 });
    await receive(records, folder);
    const service = await serviceOf(records);
    makeStandIn(join(folder, '.bin', 'tallyhook'));
    const variables = {
      TALLYHOOK_DATABASE: join(folder, 'tallyhook.db'),
      TALLYHOOK_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      TALLYHOOK_LIVE_PUBLIC_KEY: LIVE_KEYS.publicKey,
      TALLYHOOK_LIVE_SECRET_KEY: LIVE_KEYS.secretKey,
    };
    const shell = new Shell(folder, {
      PATH: [join(folder, '.bin'), process.env.PATH].join(':'),
      ...{ LC_ALL: 'C.UTF-8', TALLYHOOK_AS: 'ada', ...variables },
    });
    return new GuideMonth(folder, variables, shell, service);
  }

  /** What a command prints, on both streams, at that time. */
  async run(command: string, nowMs: number): Promise<{ readonly code: number; readonly output: string }> {
    this.#shell.nowMs = nowMs;
    return await this.#shell.run(`{ ${command}\n} 2>&1`);
  }

  async end(): Promise<void> {
    this.#shell.end();
    this.#service.closeAllConnections();
    await new Promise<void>((resolve) => this.#service.close(() => resolve()));
  }
}

/** Sends the webhooks that were not lost to the real receiver, each at its own time. */
async function receive(records: readonly GuideRecord[], folder: string): Promise<void> {
  const clock = new FixedClock(0);
  const receiver = await startReceiver({ folder, clock });
  try {
    for (const { kind, lost, data } of records) {
      if (lost === true) continue;
      clock.ms = Date.parse(String(data.updated_at)) + 2_000;
      const { status } = await receiver.post('/webhooks/live', webhookOf(kind, String(data.status), data), LIVE_KEYS);
      if (status !== 200) throw new Error(`a webhook was answered with ${status}: ${JSON.stringify(data)}`);
      await receiver.carriedOut();
    }
  } finally {
    await receiver.stop();
  }
}

async function serviceOf(records: readonly GuideRecord[]): Promise<Server> {
  const answers = new Map(
    records.map(({ kind, data }) => {
      return [statusPathOf({ kind, reference: String(data.reference ?? data.refund_reference) }), data];
    }),
  );
  const server = createServer((request, response) => {
    const data = answers.get(decodeURIComponent(request.url ?? ''));
    response.writeHead(data === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        data === undefined ? { success: false, message: 'Not found' } : { success: true, message: 'Found', data },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
