import { isIP } from 'node:net';
import { z } from 'zod';
import { folder, MEBIBYTE, onOff, section, text, wholeNumber } from '../settings.ts';

const PROXY_RULE = 'must be false or a list of proxy addresses such as [10.0.0.0/8, loopback]';

/** The listener that takes webhooks. */
export const receiver = section({
  host: text('127.0.0.1', 'Address the receiver listens on.'),
  port: wholeNumber(0, 65_535, 4600, 'Port of the receiver; 0 takes any free one.'),
  bodyLimitBytes: wholeNumber(1024, 64 * MEBIBYTE, MEBIBYTE, 'Larger bodies are answered 413.'),
  bodiesLimitBytes: wholeNumber(
    64 * 1024,
    4096 * MEBIBYTE,
    16 * MEBIBYTE,
    'Memory of all unfinished bodies; beyond it the largest are answered 503.',
  ),
  strict: onOff(false, 'Refuse collection and unknown events that carry no merchantSignature.'),
  requestTimeoutMs: wholeNumber(100, 600_000, 10_000, 'A request must have arrived completely within this time.'),
  headersTimeoutMs: wholeNumber(100, 600_000, 5_000, 'The headers of a request must have arrived within this time.'),
  keepAliveTimeoutMs: wholeNumber(100, 3_600_000, 72_000, 'An idle connection is closed after this time.'),
  maxConnections: wholeNumber(1, 1_000_000, 4_000, 'Open connections; beyond it the longest idle one is closed.'),
  maxConnectionsPerAddress: wholeNumber(
    1,
    1_000_000,
    500,
    'Open connections of one address, except the proxies of trustProxy, or this machine where none is named.',
  ),
  queueLimit: wholeNumber(1, 10_000_000, 10_000, 'Deliveries waiting for the disk; beyond it deliveries get 503.'),
  backlogBytes: wholeNumber(
    MEBIBYTE,
    1_048_576 * MEBIBYTE,
    1024 * MEBIBYTE,
    'Size of the log of deliveries that are not carried out yet; beyond it deliveries get 503.',
  ),
  shutdownTimeoutMs: wholeNumber(100, 600_000, 8_000, 'Time for answering accepted deliveries when the program stops.'),
  captureFailed: folder('Folder for deliveries whose signature failed, relative to the folder of this file, or null.'),
  trustProxy: z
    .union([z.literal(false), z.array(z.string(PROXY_RULE).refine(isProxyAddress, PROXY_RULE))], PROXY_RULE)
    .default(false)
    .describe('Addresses or networks of the proxies whose X-Forwarded-For is trusted, or false.'),
});

/** An address, a network in CIDR notation, or one of the three names that stand for private networks. */
function isProxyAddress(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(value);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
