import { mustTouch, sessionDigest, sessionState } from '../../domain/access/session.ts';
import type { Archive } from '../../store/archive.ts';
import type { Operations } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { Sessions } from './session.ts';

export interface StoreSessionsParts {
  readonly archive: Pick<Archive, 'session' | 'users'>;
  readonly operations: Pick<Operations, 'access'>;
  readonly clock: Clock;
  /** A write that failed: the session lives on, unextended. */
  readonly onFault: (error: unknown) => void;
}

/** The sessions that the store keeps. */
export function storeSessions({ archive, operations, clock, onFault }: StoreSessionsParts): Sessions {
  return {
    async find(id) {
      const digest = sessionDigest(id);
      const session = await archive.session(digest);
      const nowMs = clock.nowMs();
      if (session === null || sessionState(session, nowMs) !== 'live') return null;
      // Not waited for: while the log takes no write, pages are still shown.
      if (mustTouch(session, nowMs)) operations.access.touch({ digest }).catch(onFault);
      const { name, roles, provenAtMs } = session;
      return { name, roles, provenAtMs, credential: { kind: 'session', digest } };
    },
    async end(id) {
      await operations.access.logout({ digest: sessionDigest(id) });
    },
    async hasUsers() {
      return (await archive.users()).length > 0;
    },
  };
}
