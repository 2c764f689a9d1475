import type { AnyRoute } from './route.ts';
import { alertRoutes } from './screens/alerts.ts';
import { auditRoutes } from './screens/audit.ts';
import { eventsRoutes } from './screens/events.ts';
import { financeRoutes } from './screens/finance.ts';
import { findRoutes } from './screens/find.ts';
import { findingsRoutes } from './screens/findings.ts';
import { forwardingRoutes } from './screens/forwarding.ts';
import { forwardingActRoutes } from './screens/forwarding-acts.ts';
import { healthRoutes } from './screens/health.ts';
import { jobRoutes } from './screens/jobs.ts';
import { loginRoutes } from './screens/login.ts';
import { meRoutes } from './screens/me.ts';
import { quarantineRoutes } from './screens/quarantine.ts';
import { recordRoutes } from './screens/record.ts';
import { recordsRoutes } from './screens/records.ts';
import { refusedRoutes } from './screens/refused.ts';
import { replayRoutes } from './screens/replay.ts';
import { todayRoutes } from './screens/today.ts';
import { streamRoutes } from './streams.ts';
import { taskRoutes } from './work.ts';

/** Every route of the dashboard: each screen has a file, which exports its own. */
export function routes(): readonly AnyRoute[] {
  return [
    ...[...todayRoutes, ...findRoutes, ...recordsRoutes, ...recordRoutes, ...findingsRoutes],
    ...[
      ...eventsRoutes,
      ...refusedRoutes,
      ...quarantineRoutes,
      ...forwardingRoutes,
      ...forwardingActRoutes,
      ...replayRoutes,
      ...jobRoutes,
      ...alertRoutes,
      ...auditRoutes,
      ...healthRoutes,
      ...streamRoutes,
      ...taskRoutes,
      ...financeRoutes,
      ...loginRoutes,
      ...meRoutes,
    ],
  ];
}
