import { DatabaseError } from 'pg';
import { StoreError } from '../../error.ts';

/*
 * What went wrong with PostgreSQL, as errors of the store: a sentence and a next step each.
 */

/** The connection is gone, or was closed at its deadline. A statement under way may have been carried out. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection';
}

/** The oldest PostgreSQL that has what the log needs, such as noticing a client that is gone. */
export const OLDEST_SERVER = 15;

/** Whether a statement that ended with this error may have been carried out. */
export function mayHaveCommitted(error: unknown): boolean {
  return error instanceof LostConnection || (error instanceof DatabaseError && isOfConnection(error));
}

function isOfConnection({ severity, code = '' }: DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC' || code.startsWith('57P') || code.startsWith('08');
}

/** The StoreError of what `pg`, the network or TLS reported. `server`: `HOST:PORT`. */
export function serverFault(error: unknown, server: string): StoreError {
  if (error instanceof StoreError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [fault, text, hint] =
    (error instanceof DatabaseError ? serverAnswered(code, message) : null) ?? connectionFailed(code, message);
  return new StoreError(fault, `PostgreSQL at ${server} ${text}.`, { hint, cause: error });
}

type Words = readonly [fault: 'cluster_refused' | 'cluster_unreachable', text: string, hint: string];

const CHECK_SERVER = 'Is it running, and does cluster.url name it? See: tallyhook cluster status';

function serverAnswered(code: string, message: string): Words | null {
  switch (code) {
    case '28P01':
    case '28000':
      return [
        'cluster_refused',
        `refuses the role of cluster.url: ${message}`,
        'Check role and password: cluster.password, and pg_hba.conf on the server.',
      ];
    case '3D000':
      return [
        'cluster_refused',
        `has no such database: ${message}`,
        'Make it: createdb DATABASE; or correct cluster.url.',
      ];
    case '3F000':
    case '42P01':
    case '42883':
      return ['cluster_refused', 'holds no log in this database', 'Make it, as an owner: tallyhook cluster begin'];
    case '42501':
      return [
        'cluster_refused',
        `does not allow it: ${message}`,
        'Give the role its rights with what this prints: tallyhook cluster begin --grants NAME',
      ];
    case '53100':
      return ['cluster_unreachable', `cannot write: ${message}`, 'Free space on the disk of the server.'];
    case '53300':
      return ['cluster_unreachable', `takes no more connections: ${message}`, 'Raise max_connections of the server.'];
    case '25006':
      return ['cluster_unreachable', 'is a replica now', CHECK_SERVER];
    default:
      return null;
  }
}

const TLS_CODES = /^(?:ERR_TLS_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

function connectionFailed(code: string, message: string): Words {
  if (TLS_CODES.test(code)) {
    const hint = 'Name the certificate that signed it: cluster.ca; and the host as its certificate does: cluster.url';
    return ['cluster_refused', `has a certificate that does not verify: ${message}`, hint];
  }
  if (/does not support SSL/i.test(message)) {
    return [
      'cluster_refused',
      'speaks no TLS',
      'Set ssl = on and a certificate there: another machine is never reached without.',
    ];
  }
  return ['cluster_unreachable', `does not answer: ${message === '' ? code : message}`, CHECK_SERVER];
}
