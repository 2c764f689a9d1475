import { z } from 'zod';
import { MEBIBYTE, onOff, proxies, reporting, section, text, wholeNumber } from '../settings.ts';

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
  uploadLimitBytes: wholeNumber(
    64 * 1024,
    1024 * MEBIBYTE,
    64 * MEBIBYTE,
    'A larger file is refused; import it on the command line.',
  ),
});

function publicUrlProblem(value: string): string | null {
  const rule = 'must be an https address without a path, such as https://pay.example.com';
  if (!URL.canParse(value)) return rule;
  const { protocol, pathname, search, hash, username, password } = new URL(value);
  const isBare = pathname === '/' && search === '' && hash === '' && username === '' && password === '';
  return protocol === 'https:' && isBare ? null : rule;
}
