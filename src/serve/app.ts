import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/load.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { KeyPair } from '../domain/environment.ts';
import { aesCbcCodec } from '../domain/requests/payload-codec.ts';
import type { Forwarded } from '../forward/forwarder.ts';
import { type Forwarding, startForwarding } from '../forward/host.ts';
import { forwardMetrics } from '../forward/metrics.ts';
import { targetRules } from '../forward/targets.ts';
import { type Background, startBackground } from '../jobs/host.ts';
import { holderName } from '../jobs/job.ts';
import { jobMetrics } from '../jobs/metrics.ts';
import { sourceFile } from '../package-root.ts';
import { AckMemory } from '../receive/ack-memory.ts';
import { Capture } from '../receive/capture.ts';
import { KeyRings } from '../receive/key-rings.ts';
import { originOf } from '../receive/likeness.ts';
import { receiver } from '../receive/receiver.ts';
import { Refusals } from '../receive/refusals.ts';
import { refusalOf } from '../receive/refused-request.ts';
import type { LowerCaseHeaders } from '../receive/signature.ts';
import { storeOf } from '../store/configured-store.ts';
import { faultText, letsReceive, StoreError } from '../store/error.ts';
import type { CarriedDelivery, ObservedRecord, Refusal, RefusalOrigin } from '../store/inbox.ts';
import { admin, adminGuard } from '../web/admin.ts';
import { type Dashboard, startDashboard } from '../web/dashboard/host.ts';
import { createMetrics } from '../web/metrics.ts';
import type { App, AppParts } from './app-parts.ts';
import type { CallbackParts, OpenCallback } from './callback/callback.ts';
import { callbackRoutes } from './callback/routes.ts';
import { fileShortage } from './connections/open-files.ts';
import { DeliveryLog } from './delivery-log.ts';
import { type HostApplication, httpServer, listen } from './http-server.ts';
import { listeningOf, otherAddresses } from './listening.ts';
import { Readiness } from './readiness.ts';
import { doingOf } from './roles.ts';
import { drain, stopInTime } from './stopping.ts';
import { Sweeps } from './sweeps.ts';
import { answerDelivery, type UnroutedOptions, unrouted } from './unrouted.ts';

/** How often counted refusals are written, and what was only counted is logged, in milliseconds. */
const REFUSAL_FLUSH_MS = 1_000;

/** Builds and starts everything from a configuration: the same in production and in tests. */
export async function startApp(
  config: Config,
  {
    clock,
    log,
    deliveryLevel = 'debug',
    unsafeFileSystem = false,
    sockets = {},
    watcher,
    onFatal,
    onConfirmed,
    host,
  }: AppParts,
): Promise<App> {
  const { roles, receives, works } = doingOf(config, { sockets, host });
  /** Why the process stops; null while it runs. */
  let stopping: string | null = null;
  /** Why the log cannot be carried out; null while it can. */
  let behindFault: string | null = null;
  let background: Background | null = null;
  let dashboard: Dashboard | null = null;
  let forwarding: Forwarding | null = null;
  const refusals = new Refusals();
  /** Authentic deliveries that were answered 503 or 500. */
  const notKept = new Refusals();
  const keyRings = new KeyRings(config.keyPairs);
  const acks = new AckMemory();

  const { encryption } = config.service;
  const codec = encryption && aesCbcCodec({ keyHex: encryption.key, ivHex: encryption.iv });
  const store = storeOf(config, { clock });
  const readiness = new Readiness(clock, store.disk);
  let { keyPairs } = config;
  const metrics = createMetrics({
    clock,
    queueDepth: () => inbox.depth,
    refusals: () => refusals.totals(),
    connections: () => own?.connections.open ?? 0,
    closedConnections: () => own?.connections.closed ?? new Map(),
    keyPairs: () => keyPairs,
    roles,
    async look() {
      const looked = (await background?.look()) ?? null;
      if (looked !== null) forwards.setTargets(looked.targets);
      return looked;
    },
  });
  const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
  const deliveries = new DeliveryLog({ log, decode, level: deliveryLevel });
  const onEach = (carried: readonly CarriedDelivery[], records: readonly ObservedRecord[]) => {
    for (const one of carried) {
      deliveries.kept(one);
      watcher?.kept(one.delivery, one.kept);
    }
    deliveries.observed(records);
  };
  /** The targets are taken over, or it does not depend on the disk or a lock when they are: what is carried out then makes their rows. */
  const targetsPlanned = Promise.withResolvers<void>();
  const onPlanned = (failure: unknown): void => {
    behindFault = failure instanceof StoreError && letsReceive(failure.fault) ? failure.fault : null;
    if (behindFault === null) targetsPlanned.resolve();
  };
  const inbox = await store.inbox({
    carryOutAfter: targetsPlanned.promise,
    holder: holderName('serve'),
    unsafeFileSystem,
    limit: config.receiver.queueLimit,
    backlogBytes: config.receiver.backlogBytes,
    onFatal(error) {
      stopping ??= error.message;
      onFatal(error);
    },
    onFault(work, error) {
      if (work === 'carrying out') behindFault = error?.fault ?? null;
      if (error === null) {
        readiness.booksGoOn(work);
        log.info({ work }, 'work on the database goes on');
        return;
      }
      readiness.booksFailed(work, error);
      const notOpened = `the database cannot be opened: ${faultText(error.fault, 'now')}`;
      const what = work === 'opening' ? notOpened : 'work on the database failed';
      log.error({ work, reason: error.message, hint: error.hint }, `${what}; it is tried again`);
    },
    onKeepsAgain: () => readiness.keepsAgain(),
    onDamage: (damage) => log.error({ damage, hint: 'Run: tallyhook doctor' }, 'rows of the database are damaged'),
    ...((log.isLevelEnabled(deliveryLevel) || watcher !== undefined) && { onEach }),
    onCarriedOut(carried) {
      metrics.carriedOut(carried);
      for (const reason of carried.aside)
        log.error({ reason, hint: 'See: tallyhook events list --aside' }, 'a delivery was set aside');
    },
    onLeft: (count) => log.warn({ deliveries: count }, 'deliveries of the log are left to the next start'),
    onNews: () => forwarding?.wake(),
  });
  const targets = targetRules(config, { withApp: onConfirmed !== undefined }).map(({ name }) => name);
  const forwards = forwardMetrics(metrics.registry, targets, clock);

  const countRefusal = (refusal: Refusal, origin: RefusalOrigin) => {
    deliveries.refused(refusal, { isShown: refusals.add(refusal, origin), likeness: origin.likeness });
    watcher?.refused(refusal);
  };
  const countUnread = (refusal: Refusal, seen: { headers: LowerCaseHeaders; mayBeSigned?: boolean }) => {
    const { path, reason } = refusal;
    countRefusal(refusal, originOf({ path, reason, ...seen }, keyRings.of(path)));
  };
  const watch: UnroutedOptions = {
    clock,
    onRefused: (refusal, headers) => countUnread(refusal, { headers }),
    onStray: () => metrics.strays.inc(),
  };
  const ownServer = () =>
    httpServer(config.receiver, {
      onUnreadable: ({ refusal, head }) => countUnread({ atMs: clock.nowMs(), ...refusal }, head),
      guard: (request, reply) => answerDelivery(request, reply, watch),
    });
  const own = host === undefined && receives ? ownServer() : null;
  await own?.app.register(unrouted, watch);
  /** Null: this process does not listen for webhooks. */
  const receiverApp: HostApplication | null = host ?? own?.app ?? null;
  own?.app.get('/healthz', (_request, reply) =>
    stopping === null ? reply.send({ status: 'ok' }) : reply.code(503).send({ status: 'stopping' }),
  );
  const { captureFailed, bodyLimitBytes, bodiesLimitBytes, strict } = config.receiver;
  const capture =
    captureFailed === null ? null : new Capture(captureFailed, (error) => log.warn({ err: error }, 'capture failed'));
  let callback: OpenCallback | null = null;
  try {
    await receiverApp?.register(receiver, {
      keyRings,
      keep: inbox.keep,
      clock,
      bodyLimitBytes,
      bodiesLimitBytes,
      strict,
      ...(decode !== undefined && { decode }),
      onRefused(refusal, request, origin) {
        countRefusal(refusal, origin);
        if (capture !== null && Buffer.isBuffer(request.body)) capture.write(request.body, request.headers);
      },
      onKept(tookMs) {
        readiness.written();
        metrics.ackSeconds.observe(tookMs / 1_000);
        acks.add(tookMs);
      },
      onFailed(error, request) {
        const fault = error instanceof StoreError ? error.fault : 'other';
        const refusal = refusalOf(request, fault, clock.nowMs());
        const { environments } = originOf({ ...refusal, headers: request.headers }, keyRings.of(refusal.path));
        notKept.add(refusal, { likeness: 'not_kept', environments });
        metrics.failed.inc({ fault });
        const isToLog = readiness.failed(fault, refusal.atMs);
        // At once when it begins, so that the alerts name the cause and not its consequences.
        if (readiness.outage()?.fromMs !== reported.outage?.fromMs) announce();
        if (isToLog)
          log.error(
            error instanceof StoreError ? { fault, reason: error.message, hint: error.hint } : { err: error },
            'delivery not kept',
          );
      },
    });
    if (receiverApp !== null)
      callback = await callbackOf(config, { operations: inbox.operations, clock, log, metrics });
    if (callback !== null) await receiverApp?.register(callbackRoutes, callback.options);
  } catch (error) {
    // The application of the caller has such a route, or has started: without us the caller's program must be able to end.
    await (callback as OpenCallback | null)?.close();
    await inbox.close();
    throw error;
  }

  const guard = adminGuard({
    token: config.admin.token,
    allowedHosts: ['localhost', '127.0.0.1', '[::1]', config.admin.host, ...config.admin.allowedHosts],
  });
  const { app: adminApp } = httpServer(config.receiver, { guard });
  const database = store.identity();
  const report = (): ServeReport => ({ pid: process.pid, database, roles, outage: readiness.outage(), behindFault });
  await adminApp.register(admin, { metrics, notReady: () => stopping ?? readiness.reason(), report, guard });

  let reported = report();
  function announce(): void {
    const now = report();
    if (!isDeepStrictEqual(now, reported)) for (const thread of [background, dashboard]) thread?.report(now);
    reported = now;
  }
  const sweeps = new Sweeps(config, { operations: inbox.operations, clock, log });
  let closing: Promise<void> | undefined;
  const flush = setInterval(() => {
    for (const counted of [refusals, notKept]) counted.flush(inbox);
    deliveries.summarise(clock.nowMs());
    announce();
  }, REFUSAL_FLUSH_MS);
  const closeAll = async (graceMs: number): Promise<void> => {
    stopping ??= 'stopping';
    clearInterval(flush);
    const servers = [
      own && drain(own.app, { graceMs, isPassed: sockets.receiver !== undefined }),
      host === undefined && drain(adminApp, { graceMs, isPassed: sockets.admin !== undefined }),
    ];
    await Promise.all([...servers, ...[background, dashboard, forwarding, sweeps].map((one) => one?.stop(graceMs))]);
    await callback?.close();
    for (const counted of [refusals, notKept]) counted.flush(inbox);
    deliveries.summarise(clock.nowMs(), { isLast: true });
    await inbox.close();
  };
  const app = {
    reloadKeys(reloaded: readonly KeyPair[]) {
      keyRings.load(reloaded); // throws when one of them cannot be used
      keyPairs = reloaded;
      inbox.noteKeys(reloaded);
      callback?.reloadKeys(reloaded);
      background?.reloadKeys(reloaded);
    },
    reloadTargetSecrets: (latest: Pick<Config, 'forward'>) => forwarding?.reloadSecrets(latest) ?? [],
    sweep: () => sweeps.sweep(),
    close: () => (closing ??= stopInTime(config.receiver.shutdownTimeoutMs, { inbox, log, closeAll })),
  };
  try {
    const shortage = receives ? fileShortage(config.receiver.maxConnections) : null;
    if (shortage !== null)
      log.warn(shortage, 'too few open files for receiver.maxConnections; fewer connections are held');
    const { operations, connectOperations } = inbox;
    const onForwarded = (forwarded: Forwarded) => {
      forwards.forwarded(forwarded);
      watcher?.forwarded(forwarded);
    };
    const outbox = { operations, connectOperations, log, onConfirmed, onForwarded, onPlanned };
    if (works) forwarding = await startForwarding(config, outbox);
    const receiverUrl = own === null ? '' : await listen(own.app, listeningOf('receiver', config, sockets));
    const adminUrl = host === undefined ? await listen(adminApp, listeningOf('admin', config, sockets)) : '';
    for (const elsewhere of otherAddresses(config, sockets, { receiver: receiverUrl, admin: adminUrl }))
      log.warn(elsewhere, 'a passed socket is not where the configuration says; commands look for serve there');
    if (!works) return { ...app, receiverUrl, adminUrl, dashboardUrl: null };
    background = await startBackground(config, {
      ...{ operations, connectOperations, clock, log, acks },
      ...{ metrics: jobMetrics(metrics.registry, clock), report: report() },
    });
    if (host === undefined && config.dashboard.enabled) {
      const workFile = sourceFile('serve/dashboard-process');
      dashboard = await startDashboard(config, { connectOperations, log, report: report(), workFile });
    }
    return { ...app, receiverUrl, adminUrl, dashboardUrl: dashboard?.url ?? null };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The callback, loaded only when it is configured: the client of the service takes some megabytes. */
async function callbackOf(config: Config, parts: CallbackParts): Promise<OpenCallback | null> {
  if (config.callback.page === null) return null;
  const { openCallback } = await import('./callback/callback.ts');
  return openCallback(config, parts);
}
