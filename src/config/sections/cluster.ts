import { z } from 'zod';
import { NODE_ROLES } from '../../domain/cluster/node-role.ts';
import { serverAddressProblem } from '../../domain/cluster/server-address.ts';
import { Secret } from '../../domain/secrets/secret.ts';
import { onOff, reporting, section, wholeNumber } from '../settings.ts';

const ROLES_RULE = `must be one or both of ${NODE_ROLES.join(', ')}`;
const NODE_RULE = 'must be 1 to 64 letters, digits, dots, dashes or underscores';

/** The log that several machines share. Rules about where a password may stand are in cross-checks.ts. */
export const cluster = section({
  url: z
    .string('must be an address')
    .superRefine(reporting(serverAddressProblem))
    .nullable()
    .default(null)
    .describe(
      'PostgreSQL that keeps the log of several machines: postgres://ROLE@HOST,HOST/DATABASE; null: one machine alone.',
    ),
  password: secret('Password of that role; better {file: path} than the password itself.'),
  upkeep: z
    .strictObject(
      {
        role: z.string('must be text').min(1, 'must not be empty').describe('Its name.'),
        password: secret('Its password.'),
      },
      'must be null or a map with role and password',
    )
    .nullable()
    .default(null)
    .describe('Another role, which may delete what snapshots have made dispensable; null: the role of url does.'),
  ca: z
    .string('must be certificates in PEM form, best as {file: path}')
    .regex(/^-----[A-Z]+ CERTIFICATE-----/m, 'must be certificates in PEM form, best as {file: path}')
    .nullable()
    .default(null)
    .describe('Certificates that sign those of the servers, {file: path}; null: those that Node knows.'),
  node: z
    .string(NODE_RULE)
    .regex(/^[A-Za-z0-9._-]{1,64}$/, NODE_RULE)
    .nullable()
    .default(null)
    .describe('Name of this machine in the log; null: the name of the host.'),
  roles: z
    .preprocess(listFromText, z.array(z.enum(NODE_ROLES, ROLES_RULE), ROLES_RULE).min(1, ROLES_RULE))
    .refine((roles) => new Set(roles).size === roles.length, ROLES_RULE)
    .default([...NODE_ROLES])
    .meta({
      description:
        'What this machine does: receive takes deliveries and needs no database; work carries out, runs the jobs and serves the pages.',
      default: [...NODE_ROLES],
    }),
  files: onOff(true, 'This machine has the statements folder, and writes report files and backups.'),
  replicated: onOff(
    false,
    'Nothing is acknowledged while the server waits for no replica (synchronous_standby_names).',
  ),
  commitMs: wholeNumber(
    100,
    60_000,
    5_000,
    'Longest wait for a commit; then the connection is closed and the sender gets 503.',
  ),
  connectMs: wholeNumber(100, 60_000, 2_000, 'Longest wait for a server to answer, while one is looked for.'),
  keepDays: wholeNumber(1, 3_650, 30, 'Entries older than this, and than the older of two snapshots, are deleted.'),
});

/** A variable gives `receive,work` as text. */
function listFromText(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value;
}

function secret(description: string) {
  return z
    .string('must be text')
    .min(1, 'must not be empty')
    .transform((text) => new Secret(text))
    .nullable()
    .default(null)
    .describe(description);
}
