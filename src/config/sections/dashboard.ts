import { z } from 'zod';
import { Secret } from '../../domain/secrets/secret.ts';
import { MEBIBYTE, onOff, proxies, reporting, section, text, wholeNumber } from '../settings.ts';

const SECRET_RULE = 'must be text of at least 8 characters';
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The dashboard: pages for people, who log in. */
export const dashboard = section({
  enabled: onOff(false, 'Whether serve opens the dashboard; tallyhook dashboard opens it alone.'),
  host: text('127.0.0.1', 'Address of the dashboard; beyond loopback it needs publicUrl, and TLS in front.'),
  port: wholeNumber(0, 65_535, 4603, 'Port of the dashboard; 0 takes any free one.'),
  publicUrl: z
    .string('must be a URL')
    .superRefine(reporting(publicUrlProblem))
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe('Where people reach the dashboard, through TLS: https://…, without a path; null: on this machine alone.'),
  trustProxy: proxies(),
  idleMinutes: wholeNumber(1, 1_440, 30, 'Minutes without a page after which a session ends.'),
  sessionHours: wholeNumber(1, 168, 12, 'Hours after which a session ends in any case.'),
  oidc: z
    .strictObject(
      {
        issuer: z
          .string('must be a URL')
          .superRefine(reporting(issuerProblem))
          .describe('Issuer of the identity provider, as it names itself; https unless it is on this machine.'),
        clientId: text('tallyhook', 'The client that the provider knows.'),
        clientSecret: z
          .string(SECRET_RULE)
          .min(8, SECRET_RULE)
          .transform((secret) => new Secret(secret))
          .describe('Secret of that client.'),
        claim: text('email', 'The claim that has the name of the user; email must be verified there.'),
      },
      'must be a map of issuer, clientId, clientSecret and claim',
    )
    .nullable()
    .default(null)
    .describe('An identity provider (OpenID Connect) whose people log in without a password here; null: none.'),
  uploadLimitBytes: wholeNumber(
    64 * 1024,
    1024 * MEBIBYTE,
    64 * MEBIBYTE,
    'A larger file is refused; import it on the command line.',
  ),
});

function issuerProblem(value: string): string | null {
  const { protocol = '', hostname = '' } = URL.canParse(value) ? new URL(value) : {};
  const isFit = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isFit ? null : 'must be an https address such as https://login.example.com/realms/shop';
}

function publicUrlProblem(value: string): string | null {
  const rule = 'must be an https address without a path, such as https://pay.example.com';
  if (!URL.canParse(value)) return rule;
  const { protocol, pathname, search, hash, username, password } = new URL(value);
  const isBare = pathname === '/' && search === '' && hash === '' && username === '' && password === '';
  return protocol === 'https:' && isBare ? null : rule;
}
