import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/load.ts';
import { TallyhookError } from '../../domain/error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'not allowed for this user',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/**
 * Listens where the configuration says, and returns the address.
 *
 * @throws TallyhookError with the reason and the setting to change
 */
export async function listenForPeople(app: FastifyInstance, config: Pick<Config, 'dashboard'>): Promise<string> {
  const { host, port } = config.dashboard;
  try {
    return await app.listen({ host, port });
  } catch (error) {
    throw notListening(config, String((error as NodeJS.ErrnoException).code));
  }
}

export function notListening({ dashboard: { host, port } }: Pick<Config, 'dashboard'>, code: string): TallyhookError {
  return new TallyhookError(`The dashboard cannot listen on ${host}:${port}: ${REASONS[code] ?? code}.`, {
    kind: 'configuration',
    hint: 'Stop what listens there, or change dashboard.port or dashboard.host.',
  });
}

/** Its thread failed before it listened, such as by a screen that cannot be loaded. */
export function notOpened(cause: unknown): TallyhookError {
  return new TallyhookError(`The dashboard cannot be opened: ${cause instanceof Error ? cause.message : cause}`, {
    ...{ kind: 'failed', cause },
    hint: 'Install this version of tallyhook again, or set dashboard.enabled to false.',
  });
}
