import type { AnyRoute } from './route.ts';
import { eventsRoutes } from './screens/events.ts';
import { financeRoutes } from './screens/finance.ts';
import { findRoutes } from './screens/find.ts';
import { findingsRoutes } from './screens/findings.ts';
import { forwardingRoutes } from './screens/forwarding.ts';
import { loginRoutes } from './screens/login.ts';
import { meRoutes } from './screens/me.ts';
import { recordRoutes } from './screens/record.ts';
import { recordsRoutes } from './screens/records.ts';
import { refusedRoutes } from './screens/refused.ts';
import { todayRoutes } from './screens/today.ts';
import { watchingRoutes } from './screens/watching.ts';
import { streamRoutes } from './streams.ts';
import { taskRoutes } from './work.ts';

/** Every route of the dashboard: each screen has a file, which exports its own. */
export function routes(): readonly AnyRoute[] {
  return [
    ...[...todayRoutes, ...findRoutes, ...recordsRoutes, ...recordRoutes, ...findingsRoutes],
    ...[
      ...eventsRoutes,
      ...refusedRoutes,
      ...forwardingRoutes,
      ...watchingRoutes,
      ...streamRoutes,
      ...taskRoutes,
      ...financeRoutes,
      ...loginRoutes,
      ...meRoutes,
    ],
  ];
}
