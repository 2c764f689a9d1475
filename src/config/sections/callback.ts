import { z } from 'zod';
import { isLoopback } from '../../domain/requests/base-url.ts';
import { SHORTEST_VERDICT_SECRET } from '../../domain/requests/callback-verdict.ts';
import { reporting, secretText, section, wholeNumber } from '../settings.ts';

/** Where customers come back to after an inline checkout, and the page that they are sent on to. */
export const callback = section({
  page: z
    .string('must be a URL')
    .superRefine(reporting(pageProblem))
    .nullable()
    .default(null)
    .describe('Page that customers are sent on to after an inline checkout, or null; https unless on this machine.'),
  secret: secretText(
    SHORTEST_VERDICT_SECRET,
    `Signs the verdict for that page; better \${NAME} or {file: path} than the secret itself.`,
  ),
  ttlSeconds: wholeNumber(10, 86_400, 600, 'A verdict expires after this time.'),
  timeoutMs: wholeNumber(100, 30_000, 3_000, 'Longest wait for the service; then the verdict is pending.'),
  perMinute: wholeNumber(1, 100_000, 120, 'Requests to the service per minute, for all customers together.'),
  perAddressPerMinute: wholeNumber(1, 100_000, 20, 'Visits of one address per minute that are checked.'),
});

/** The rule that the page breaks, or null: a verdict travels there, so https unless it is on this machine. */
function pageProblem(value: string): string | null {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with https://';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'must start with https://, unless it is on this machine';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  return url.searchParams.has('verdict') ? 'must not carry a verdict: Tallyhook adds it' : null;
}
