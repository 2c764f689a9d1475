import type { Database } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';
import { exceptionActs } from './exception-acts.ts';
import { exceptionFollowing } from './exception-follow.ts';

/** Writes the queue of exceptions; on disk when a method returns. */
export function exceptionWrites(database: Database, audit: AuditWrites) {
  return { act: exceptionActs(database, audit), follow: exceptionFollowing(database, audit) };
}
