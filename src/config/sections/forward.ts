import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { FORWARD_MOMENTS, FORWARD_NEWS } from '../../domain/forwarding/forward-target.ts';
import { webhookSecretProblem } from '../../domain/forwarding/webhook-secret.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import { Secret } from '../../domain/secrets/secret.ts';
import { DAY_MS } from '../../time/clock.ts';
import { oneOf, onOff, onOffOrNull, reporting, section, wholeNumber } from '../settings.ts';

const NAME_RULE = 'must be 1 to 40 small letters, digits and dashes, and begin with a letter or digit';
const SECRETS_RULE = 'must be a list of one secret, or of two while it is rotated';

const retry = section({
  firstMs: wholeNumber(1, DAY_MS, 5_000, 'Longest wait before the second attempt; it doubles with each further one.'),
  maxMs: wholeNumber(1, 7 * DAY_MS, 14_400_000, 'Longest wait between two attempts.'),
  giveUpMs: wholeNumber(
    0,
    90 * DAY_MS,
    259_200_000,
    'An attempt that fails so long after the first one makes a dead letter.',
  ),
});

const breaker = section({
  failures: wholeNumber(1, 10_000, 5, 'Failures in a row after which the target rests.'),
  restMs: wholeNumber(1, DAY_MS, 30_000, 'How long it rests before one row probes it.'),
});

/** One target. Rules about two settings, and about two targets, are in cross-checks-forward.ts. */
const target = z.strictObject(
  {
    name: z
      .string(NAME_RULE)
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, NAME_RULE)
      .describe('Names the target, for rows, logs and commands.'),
    url: z.string('must be a URL').describe('Where news is posted; https unless it is on this machine.'),
    secrets: z
      .array(secret(), SECRETS_RULE)
      .min(1, SECRETS_RULE)
      .max(2, SECRETS_RULE)
      .describe('Sign the requests (whsec_…); two while rotating, both sign.'),
    environments: words(ENVIRONMENTS, 'Environments whose news it gets.'),
    kinds: words(RECORD_KINDS, 'Kinds of records whose news it gets.'),
    when: oneOf(FORWARD_MOMENTS, 'confirmed', 'confirmed: what the service confirmed; received: each event.'),
    news: z
      .enum(FORWARD_NEWS, `must be one of ${FORWARD_NEWS.join(', ')}`)
      .nullable()
      .default(null)
      .describe('With confirmed: settled (the default) is moves into or out of a settled status, every is each move.'),
    events: z
      .array(
        z.string('must be the name of an event').min(1, 'must not be empty'),
        'must be null or a list of event names',
      )
      .min(1, 'must be null or a list of event names')
      .nullable()
      .default(null)
      .describe('With received: names of events, * for any letters; null: every event of a known kind.'),
    concurrency: wholeNumber(1, 256, 16, 'Requests under way at once.'),
    timeoutMs: wholeNumber(100, 600_000, 10_000, 'One request, from connecting to the end of the headers.'),
    includeBody: onOff(false, "Adds the event's original bytes as base64."),
    allowHttp: onOffOrNull('Overrides forward.allowHttp for this target.'),
    allowPrivate: onOffOrNull('Overrides forward.allowPrivate for this target.'),
    retry: retry.describe('When a failed request is sent again.'),
    breaker: breaker.describe('When a failing target rests.'),
  },
  'must be a map with name, url and secrets',
);

/** Where news is handed on to. */
export const forward = section({
  allowHttp: onOff(false, 'Allows targets without TLS beyond this machine.'),
  allowPrivate: onOff(false, 'Allows targets in private networks; loopback is always allowed.'),
  targets: z
    .array(target, 'must be a list of targets')
    .max(100, 'must be 100 targets at most')
    .default([])
    .describe('Applications that get news.'),
  app: section({
    environments: words(ENVIRONMENTS, 'Environments whose news the application in the same process gets.'),
    kinds: words(RECORD_KINDS, 'Kinds of records whose news it gets.'),
    news: oneOf(FORWARD_NEWS, 'settled', 'settled: moves into or out of a settled status; every: each move.'),
    concurrency: wholeNumber(1, 256, 16, 'Calls of onConfirmed under way at once.'),
    timeoutMs: wholeNumber(100, 600_000, 30_000, 'Longest call; then its signal is aborted and the call has failed.'),
  }).describe('The application that runs in the same process, with the library (startTallyhook).'),
});

function words<const Word extends string>(all: readonly Word[], description: string) {
  const rule = `must be a list of ${all.join(', ')}`;
  return z
    .array(z.enum(all, rule), rule)
    .min(1, rule)
    .default([...all] as never)
    .describe(description);
}

function secret() {
  return z
    .string('must be a secret: whsec_ and 24 to 64 bytes in base64')
    .superRefine(reporting(webhookSecretProblem))
    .transform((text) => new Secret(text));
}
