import { settingsNotReloaded } from '../../../src/config/changed-settings.ts';
import type { Config } from '../../../src/config/load.ts';
import { requireKeyPairs } from '../../../src/config/required-keys.ts';
import { NODE_ROLES } from '../../../src/domain/cluster/node-role.ts';
import { startApp } from '../../../src/serve/app.ts';
import { passedSockets, SOCKET_VARIABLES } from '../../../src/serve/sockets.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { stopGracefully } from '../../context/graceful-stop.ts';
import { serveLog } from '../../context/serve-log.ts';
import { UsageError } from '../../options/options.ts';

interface ServeArguments {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
  readonly captureFailed: string | undefined;
  readonly unsafeFileSystem: boolean;
  readonly roles: string | undefined;
}

/** Runs the receiver and the admin listener until a signal. */
export async function serve(argv: ServeArguments): Promise<void> {
  const onHangUp = catchHangUps(); // before the keys are read, so that no SIGHUP is lost
  const config = withRoles(await configFrom(argv), argv.roles);
  requireKeyPairs(config);
  const captureFailed = argv.captureFailed ?? config.receiver.captureFailed;
  const sockets = passedSockets(process.env, process);
  for (const name of SOCKET_VARIABLES) delete process.env[name]; // they are not for the processes that serve starts
  const { log, deliveryLevel } = serveLog(config, argv.json === true);
  if (argv.unsafeFileSystem) log.warn('the file system is not checked: an acknowledged delivery can be lost');
  const app = await startApp(
    { ...config, receiver: { ...config.receiver, captureFailed } },
    {
      clock: systemClock,
      log,
      deliveryLevel,
      sockets,
      unsafeFileSystem: argv.unsafeFileSystem,
      onFatal(error) {
        // No delivery may be acknowledged any more, and the service manager must see the exit.
        log.fatal({ err: error, hint: error.hint }, 'the database cannot be trusted; stopping');
        log.flush();
        process.exit(1);
      },
    },
  );
  await onHangUp(async () => {
    try {
      const reloaded = withRoles(await configFrom(argv), argv.roles);
      const keyPairs = requireKeyPairs(reloaded);
      app.reloadKeys(keyPairs);
      const targets = app.reloadTargetSecrets(reloaded);
      log.info({ keys: keyPairs.map(({ id }) => id), targets }, 'keys reloaded');
      const settings = settingsNotReloaded(config, reloaded);
      if (settings.length > 0)
        log.warn({ settings, hint: 'Restart serve to take them over.' }, 'other settings differ; a reload leaves them');
    } catch (error) {
      log.error({ err: error }, 'keys not reloaded; the old ones stay');
    }
  });
  stopGracefully(config.receiver.shutdownTimeoutMs, async (error) => {
    if (error) log.fatal({ err: error }, 'unexpected error; stopping');
    await app.close();
    log.info('stopped');
    log.flush();
  });
  const works = config.cluster.roles.includes('work');
  // Logged last, because a reader of this line may send a signal at once.
  log.info(
    {
      ...(app.receiverUrl !== '' && { receiver: app.receiverUrl }),
      admin: app.adminUrl,
      ...(app.dashboardUrl !== null && { dashboard: app.dashboardUrl }),
      ...(config.cluster.url !== null && { node: config.cluster.node, roles: config.cluster.roles }),
      ...(works && { database: config.database }),
      keys: config.keyPairs.map(({ id }) => id),
    },
    'serving',
  );
}

/** The configuration with the roles of the command line. @throws UsageError for another word */
function withRoles(config: Config, text: string | undefined): Config {
  if (text === undefined) return config;
  const roles = text.split(',').map((word) => {
    const role = NODE_ROLES.find((one) => one === word.trim());
    if (role !== undefined) return role;
    throw new UsageError(`--roles is ${JSON.stringify(text)}: it must be one or both of ${NODE_ROLES.join(', ')}.`);
  });
  return { ...config, cluster: { ...config.cluster, roles: [...new Set(roles)] } };
}

/** Catches SIGHUP from now on. Returns how to set its handler, which then handles one that came before. */
function catchHangUps(): (handler: () => Promise<void>) => Promise<void> {
  let missed = false;
  let handle = async () => {
    missed = true;
  };
  process.on('SIGHUP', () => handle());
  return async (handler) => {
    handle = handler;
    if (missed) await handler();
  };
}
