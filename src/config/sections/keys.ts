import { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { publicKeyProblem, secretKeyProblem } from '../../domain/secrets/key-text.ts';
import { Secret } from '../../domain/secrets/secret.ts';
import { reporting, section } from '../settings.ts';

const ID_RULE = 'must be 1 to 64 letters, digits, dots, dashes or underscores';
const TIME_RULE = 'must be an ISO 8601 time with its offset, such as 2027-01-31T00:00:00Z';

export const keys = section({ test: keyList('test'), live: keyList('live') });

function keyList(environment: Environment) {
  const keyPair = z.strictObject(
    {
      id: z
        .string(ID_RULE)
        .regex(/^[A-Za-z0-9._-]{1,64}$/, ID_RULE)
        .optional()
        .describe(`Name of the pair, kept with every event it verified; ${environment}-1 and so on by default.`),
      publicKey: z
        .string('must be the public key')
        .superRefine(reporting((key) => publicKeyProblem(key, environment)))
        .describe(`Public key, pk_${environment}_…`),
      secretKey: z
        .string('must be the secret key')
        .superRefine(reporting((key) => secretKeyProblem(key, environment)))
        .transform((key) => new Secret(key))
        .describe(`Secret key, sk_${environment}_…; better \${NAME} or {file: path} than the key itself.`),
      notAfter: z.iso
        .datetime({ offset: true, error: TIME_RULE })
        .nullable()
        .default(null)
        .describe('After this time the pair verifies nothing: for the old pair of a rotation.'),
    },
    'must be a map with publicKey and secretKey',
  );
  return z
    .array(keyPair, 'must be a list of key pairs')
    .default([])
    .describe(`Key pairs of the ${environment} environment; several may be active during a rotation.`);
}
