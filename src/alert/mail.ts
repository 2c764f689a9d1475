import type { Config } from '../config/load.ts';
import type { SendNotice } from './send.ts';

/** Limits of one mail, in milliseconds; the caller's signal ends it before. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000, dnsTimeout: 10_000 };

type MailSettings = NonNullable<Config['alerts']['mail']>;

/** A mail of plain text, with files. */
export interface Letter {
  readonly to: readonly string[];
  readonly title: string;
  readonly text: string;
  readonly files?: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** Notices as plain text. */
export function mailChannel(settings: MailSettings): SendNotice {
  const send = mailSender(settings);
  return ({ name, title, text }, signal) => send({ to: settings.to, title: `${name}: ${title}`, text }, signal);
}

/** Mail over SMTP. With `starttls` nothing is said before the connection is encrypted. */
export function mailSender({
  host,
  port,
  security,
  user,
  password,
  from,
}: MailSettings): (letter: Letter, signal: AbortSignal) => Promise<void> {
  return async ({ to, title, text, files = [] }, signal) => {
    // Loaded at the first mail: few installations send any.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      ...TIMEOUTS,
      ...{
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
      },
      ...(user !== null && { auth: { user, pass: password?.reveal() ?? '' } }),
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
    try {
      const attachments = files.map(({ name: filename, bytes: content }) => ({ filename, content }));
      await transport.sendMail({
        ...{ from, to: [...to], subject: `[Tallyhook] ${title}`, text: `${text}\n`, attachments, signal },
      });
    } catch (error) {
      throw new Error(faultOf(error as MailError));
    } finally {
      transport.close();
    }
  };
}

interface MailError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/** The server's own words are not shown: they may repeat addresses. */
function faultOf({ code, responseCode }: MailError): string {
  const name = typeof code === 'string' ? code : 'unknown';
  return typeof responseCode === 'number'
    ? `the mail server answered ${responseCode} (${name})`
    : `no mail was sent: ${name}`;
}
