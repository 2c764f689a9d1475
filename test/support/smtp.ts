import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll } from 'vitest';

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: unknown;
  readonly secure: boolean;
  readonly text: string;
}

/** A real SMTP server on this machine, with a certificate of its own; it keeps what it takes. It ends with the test file. */
export async function smtpServer(
  options: SMTPServerOptions = {},
): Promise<{ readonly port: number; readonly mails: Mail[] }> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, logger: false, disableReverseLookup: true },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          secure: session.secure,
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {}); // a client that hangs up
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  afterAll(() => new Promise<void>((closed) => server.close(() => closed())));
  return { port: (server.server.address() as AddressInfo).port, mails };
}
