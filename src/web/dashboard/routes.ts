import type { AnyRoute } from './route.ts';

interface Screen {
  /** The first parts of its addresses; '' is that of `/`. */
  readonly at: readonly string[];
  /** Loads the file of the screen. */
  readonly load: () => Promise<readonly AnyRoute[]>;
}

/** Every screen of the dashboard: each has a file, which exports its routes. */
const SCREENS: readonly Screen[] = [
  { at: [''], load: async () => (await import('./screens/today.ts')).todayRoutes },
  { at: ['find'], load: async () => (await import('./screens/find.ts')).findRoutes },
  {
    at: ['refunds', 'payouts', 'collections'],
    load: async () => (await import('./screens/records.ts')).recordsRoutes,
  },
  { at: ['records'], load: async () => (await import('./screens/record.ts')).recordRoutes },
  { at: ['findings', 'stuck', 'expected'], load: async () => (await import('./screens/findings.ts')).findingsRoutes },
  { at: ['events'], load: async () => (await import('./screens/events.ts')).eventsRoutes },
  { at: ['refused'], load: async () => (await import('./screens/refused.ts')).refusedRoutes },
  { at: ['quarantine'], load: async () => (await import('./screens/quarantine.ts')).quarantineRoutes },
  { at: ['forwarding'], load: async () => (await import('./screens/forwarding.ts')).forwardingRoutes },
  { at: ['forwarding'], load: async () => (await import('./screens/forwarding-acts.ts')).forwardingActRoutes },
  { at: ['forwarding'], load: async () => (await import('./screens/replay.ts')).replayRoutes },
  { at: ['jobs'], load: async () => (await import('./screens/jobs.ts')).jobRoutes },
  { at: ['alerts'], load: async () => (await import('./screens/alerts.ts')).alertRoutes },
  { at: ['audit'], load: async () => (await import('./screens/audit.ts')).auditRoutes },
  { at: ['health'], load: async () => (await import('./screens/health.ts')).healthRoutes },
  { at: ['stream'], load: async () => (await import('./streams.ts')).streamRoutes },
  { at: ['tasks'], load: async () => (await import('./tasks.ts')).taskRoutes },
  { at: ['statements'], load: async () => (await import('./screens/statements.ts')).statementListRoutes },
  { at: ['statements'], load: async () => (await import('./screens/statement-upload.ts')).statementUploadRoutes },
  { at: ['statements'], load: async () => (await import('./screens/statement.ts')).statementRoutes },
  { at: ['proof'], load: async () => (await import('./screens/proof.ts')).proofRoutes },
  { at: ['exceptions'], load: async () => (await import('./screens/exceptions.ts')).exceptionRoutes },
  { at: ['exceptions'], load: async () => (await import('./screens/exception-acts.ts')).exceptionActRoutes },
  { at: ['exceptions'], load: async () => (await import('./screens/exception-sheets.ts')).exceptionSheetRoutes },
  { at: ['exceptions'], load: async () => (await import('./screens/exception.ts')).oneExceptionRoutes },
  { at: ['matches'], load: async () => (await import('./screens/matches.ts')).matchRoutes },
  { at: ['periods'], load: async () => (await import('./screens/periods.ts')).periodListRoutes },
  { at: ['periods'], load: async () => (await import('./screens/period.ts')).periodRoutes },
  { at: ['reports', 'runs'], load: async () => (await import('./screens/reports.ts')).reportRoutes },
  { at: ['approvals'], load: async () => (await import('./screens/approvals.ts')).approvalRoutes },
  { at: ['people'], load: async () => (await import('./screens/people.ts')).peopleRoutes },
  { at: ['people'], load: async () => (await import('./screens/people-acts.ts')).peopleActRoutes },
  { at: ['login', 'link', 'prove', 'logout'], load: async () => (await import('./screens/login.ts')).loginRoutes },
  { at: ['me'], load: async () => (await import('./screens/me.ts')).meRoutes },
];

/** Every route of the dashboard. */
export function routes(): Promise<readonly AnyRoute[]> {
  return loaded(SCREENS);
}

/** The routes of the screens at an address, and nothing else loaded: for a process that answers one request. */
export function routesAt(path: string): Promise<readonly AnyRoute[]> {
  const [, first = ''] = path.split('/');
  return loaded(SCREENS.filter(({ at }) => at.includes(first)));
}

/** @throws Error that names the screen which cannot be loaded */
export async function loaded(screens: readonly Screen[]): Promise<readonly AnyRoute[]> {
  const routes = screens.map(async ({ at, load }) => {
    try {
      return await load();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The screen at /${at.join(', /')} cannot be loaded: ${message}`, { cause });
    }
  });
  return (await Promise.all(routes)).flat();
}
