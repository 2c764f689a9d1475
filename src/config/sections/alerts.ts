import { z } from 'zod';
import { ALERT_CAUSES, ALERT_CHANNELS, type AlertCause, SEVERITIES } from '../../domain/alerts/alert-cause.ts';
import { Secret } from '../../domain/secrets/secret.ts';
import { numberFromText, onOff, reporting, section, wholeNumber } from '../settings.ts';

const MINUTES_RULE = 'must be a whole number of minutes from 1 to 10080';
const CHANNELS_RULE = `must be a list of ${ALERT_CHANNELS.join(', ')}`;
const LEVELS = [...SEVERITIES, 'off'] as const;
const LEVEL_RULE = `must be one of ${LEVELS.join(', ')}`;
const NAME_RULE = 'must be a line of 1 to 100 characters';
const ADDRESS_RULE = 'must be a mail address such as ops@shop.example';

/** One for all causes: making it takes half a millisecond. */
const CAUSE_SETTINGS = z
  .strictObject(
    {
      severity: z.enum(LEVELS, LEVEL_RULE).optional().describe('How severe it is; off: it is not judged.'),
      channels: z.array(z.enum(ALERT_CHANNELS, CHANNELS_RULE), CHANNELS_RULE).optional().describe('Where it is told.'),
      coolDownMinutes: z
        .preprocess(numberFromText, z.int(MINUTES_RULE).min(1, MINUTES_RULE).max(10_080, MINUTES_RULE))
        .optional()
        .describe('In place of alerts.coolDownMinutes.'),
    },
    'must be a map with severity, channels or coolDownMinutes',
  )
  .optional();

/** Who is told when something is not well, how often, and where. */
export const alerts = section({
  name: z
    .string(NAME_RULE)
    .regex(/^[^\p{Cc}]{1,100}$/u, NAME_RULE)
    .nullable()
    .default(null)
    .describe(
      'Whose alerts these are: begins each notice and the subject of each mail; null: the name of this machine.',
    ),
  coolDownMinutes: wholeNumber(1, 10_080, 60, 'No second notice of an open alert within this time.'),
  remindHours: wholeNumber(1, 720, 24, 'An alert that stays open is told again after this time.'),
  webhook: optionalMap(
    { url: address('URL of an incoming webhook that takes {"text": …}; it is a secret.') },
    'Chat channel: Slack, Mattermost, Rocket.Chat and others, or null.',
  ),
  mail: optionalMap(
    {
      host: z
        .string('must be a host name')
        .regex(/^[\w.-]{1,253}$|^\[?[0-9a-fA-F:.]+\]?$/, 'must be a host name')
        .describe('SMTP server.'),
      port: wholeNumber(1, 65_535, 587, 'Port of the SMTP server.'),
      security: z
        .enum(['starttls', 'tls', 'none'], 'must be one of starttls, tls, none')
        .default('starttls')
        .describe('starttls: required before anything is said; tls: from the first byte; none: only on this machine.'),
      user: z
        .string('must be text')
        .min(1, 'must not be empty')
        .nullable()
        .default(null)
        .describe('User name, or null.'),
      password: z
        .string('must be text')
        .min(1, 'must not be empty')
        .transform((text) => new Secret(text))
        .nullable()
        .default(null)
        .describe(`Password; better \${NAME} or {file: path} than itself.`),
      from: mailAddress('Sender.'),
      to: z
        .array(mailAddress('Recipient.'), 'must be a list of mail addresses')
        .min(1, 'must name a recipient')
        .max(20, 'must name 20 recipients at most')
        .describe('Recipients.'),
    },
    'Mail over SMTP, or null.',
  ),
  heartbeat: optionalMap(
    {
      url: address(
        'URL that is fetched while everything runs; the watcher behind it alerts when it is not. It is a secret.',
      ),
      everyMinutes: wholeNumber(1, 60, 5, 'How often it is fetched.'),
    },
    'A dead process sends no alerts, so an external watcher alerts when this URL is not fetched; or null.',
  ),
  allowHttp: onOff(false, 'Allows http addresses and plain SMTP beyond this machine.'),
  causes: z
    .strictObject(
      Object.fromEntries(ALERT_CAUSES.map((cause) => [cause, CAUSE_SETTINGS])) as Record<
        AlertCause,
        typeof CAUSE_SETTINGS
      >,
      'must be a map of causes',
    )
    .prefault({})
    .describe('Severity, channels and cool-down of single causes.'),
});

function optionalMap<Shape extends z.ZodRawShape>(shape: Shape, description: string) {
  return z
    .strictObject(shape, `must be null or a map with ${Object.keys(shape).join(', ')}`)
    .nullable()
    .default(null)
    .describe(description);
}

function address(description: string) {
  return z
    .string('must be a URL')
    .superRefine(reporting(addressProblem))
    .transform((url) => new Secret(url))
    .describe(description);
}

function addressProblem(value: string): string | null {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with https://';
  return url.username !== '' || url.password !== '' ? 'must not carry a user name or password' : null;
}

function mailAddress(description: string) {
  return z
    .string(ADDRESS_RULE)
    .regex(/^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,253}$/, ADDRESS_RULE)
    .describe(description);
}
