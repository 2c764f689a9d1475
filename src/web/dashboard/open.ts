import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/load.ts';
import type { ServeReport } from '../../confirm/serve-report.ts';
import type { ConnectedOperations } from '../../store/operations-channel.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../time/clock.ts';
import { Frame } from './frame.ts';
import { Guard } from './guard.ts';
import { KeptArchive } from './kept-archive.ts';
import { Looking } from './looking.ts';
import { readOwnFiles } from './own-files.ts';
import type { AnyRoute } from './route.ts';
import { Router } from './router.ts';
import { routes } from './routes.ts';
import { dashboardServer } from './server.ts';
import { storeSessions } from './session.ts';
import { openUploads } from './uploads.ts';
import { Works } from './work.ts';

export interface DashboardParts {
  readonly config: Config;
  readonly store: Pick<Store, 'archive' | 'identity'>;
  readonly channel: Pick<ConnectedOperations, 'operations' | 'as'>;
  readonly clock: Clock;
  /** What the `serve` beside it reports; null: none is. */
  readonly serve: () => ServeReport | null;
  readonly onFault: (error: unknown, doing: string) => void;
  /** What the process of an `aside` route runs: it may import what pages may not. A test gives another. */
  readonly workFile: URL;
  /** A test gives its own. */
  readonly routes?: readonly AnyRoute[];
}

/** A dashboard that does not listen yet. */
export interface OpenDashboard {
  readonly app: FastifyInstance;
  /** Ends what is computed, closes what is open, deletes what was uploaded. */
  readonly close: () => Promise<void>;
}

/** Builds the dashboard: the same in the thread of `serve`, in `tallyhook dashboard`, and in tests. */
export async function openDashboard(parts: DashboardParts): Promise<OpenDashboard> {
  const { config, store, channel, clock, serve, onFault } = parts;
  const router = new Router(parts.routes ?? (await routes()));
  const guard = new Guard(config.dashboard);
  const archive = new KeptArchive(store);
  const { folder: uploads, close: closeUploads } = await openUploads();
  const looking = new Looking({
    ...{ archive: archive.reading, config, clock, serve },
    onFault: (error) => onFault(error, 'looking how everything stands'),
  });
  const newId = () => randomBytes(16).toString('hex');
  const { workFile } = parts;
  const sessions = storeSessions({
    ...{ archive: archive.reading, operations: channel.operations, clock },
    onFault: (error) => onFault(error, 'noting that a session is used'),
  });
  const works = new Works({
    ...{ config, newId, file: workFile },
    nowMs: () => clock.nowMs(),
    standing: (visitor) => sessions.standing(visitor),
  });
  const stopping = new AbortController();
  const { names, files } = readOwnFiles();
  const frame = new Frame({
    ...{ config, clock, router, guard, archive, sessions, works, looking, uploads, onFault, serve, own: names },
    operations: (visitor) => (visitor === null ? channel.operations : channel.as(visitor.credential)),
    stopping: stopping.signal,
  });
  const app = dashboardServer({ config, frame, guard, looking, files, uploads, stopping: stopping.signal });
  return {
    app,
    async close() {
      stopping.abort();
      works.close();
      looking.close();
      await app.close();
      await archive.close();
      await closeUploads();
    },
  };
}
