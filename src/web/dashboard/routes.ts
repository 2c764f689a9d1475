import type { AnyRoute } from './route.ts';
import { alertRoutes } from './screens/alerts.ts';
import { approvalRoutes } from './screens/approvals.ts';
import { auditRoutes } from './screens/audit.ts';
import { eventsRoutes } from './screens/events.ts';
import { oneExceptionRoutes } from './screens/exception.ts';
import { exceptionActRoutes } from './screens/exception-acts.ts';
import { exceptionSheetRoutes } from './screens/exception-sheets.ts';
import { exceptionRoutes } from './screens/exceptions.ts';
import { findRoutes } from './screens/find.ts';
import { findingsRoutes } from './screens/findings.ts';
import { forwardingRoutes } from './screens/forwarding.ts';
import { forwardingActRoutes } from './screens/forwarding-acts.ts';
import { healthRoutes } from './screens/health.ts';
import { jobRoutes } from './screens/jobs.ts';
import { loginRoutes } from './screens/login.ts';
import { matchRoutes } from './screens/matches.ts';
import { meRoutes } from './screens/me.ts';
import { peopleRoutes } from './screens/people.ts';
import { peopleActRoutes } from './screens/people-acts.ts';
import { periodRoutes } from './screens/period.ts';
import { periodListRoutes } from './screens/periods.ts';
import { proofRoutes } from './screens/proof.ts';
import { quarantineRoutes } from './screens/quarantine.ts';
import { recordRoutes } from './screens/record.ts';
import { recordsRoutes } from './screens/records.ts';
import { refusedRoutes } from './screens/refused.ts';
import { replayRoutes } from './screens/replay.ts';
import { reportRoutes } from './screens/reports.ts';
import { statementRoutes } from './screens/statement.ts';
import { statementUploadRoutes } from './screens/statement-upload.ts';
import { statementListRoutes } from './screens/statements.ts';
import { todayRoutes } from './screens/today.ts';
import { streamRoutes } from './streams.ts';
import { taskRoutes } from './work.ts';

/** Every route of the dashboard: each screen has a file, which exports its own. */
export function routes(): readonly AnyRoute[] {
  return [
    ...[...todayRoutes, ...findRoutes, ...recordsRoutes, ...recordRoutes, ...findingsRoutes],
    ...[...eventsRoutes, ...refusedRoutes, ...quarantineRoutes],
    ...[...forwardingRoutes, ...forwardingActRoutes, ...replayRoutes],
    ...[...jobRoutes, ...alertRoutes, ...auditRoutes, ...healthRoutes, ...streamRoutes, ...taskRoutes],
    ...[...statementListRoutes, ...statementUploadRoutes, ...statementRoutes, ...proofRoutes],
    ...[...exceptionRoutes, ...exceptionActRoutes, ...exceptionSheetRoutes, ...oneExceptionRoutes, ...matchRoutes],
    ...[...periodListRoutes, ...periodRoutes, ...reportRoutes],
    ...[...approvalRoutes, ...peopleRoutes, ...peopleActRoutes, ...loginRoutes, ...meRoutes],
  ];
}
