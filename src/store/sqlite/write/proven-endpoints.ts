import type { Environment } from '../../../domain/environment.ts';
import type { VerificationEndpoint } from '../../../domain/requests/request.ts';
import type { Timed } from '../../../time/clock.ts';
import type { EndpointProof } from '../../checks.ts';
import { type Database, writing } from '../engine/database.ts';

/** Verification endpoints that have given a usable answer; on disk when `prove` returns. */
export function provenEndpoints(database: Database) {
  const prove = database.prepare<EndpointProof & Timed>(
    'INSERT OR IGNORE INTO proven_endpoints (environment, endpoint, proven_at) VALUES (@environment, @endpoint, @nowMs)',
  );
  const proven = database
    .prepare<[Environment], VerificationEndpoint>('SELECT endpoint FROM proven_endpoints WHERE environment = ?')
    .pluck();
  return {
    prove: writing(database, (proof: EndpointProof & Timed): void => void prove.run(proof)),
    proven: (environment: Environment): VerificationEndpoint[] => proven.all(environment),
  };
}
