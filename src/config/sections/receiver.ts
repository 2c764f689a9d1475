import { folder, MEBIBYTE, onOff, proxies, section, text, wholeNumber } from '../settings.ts';

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
  trustProxy: proxies(),
});
