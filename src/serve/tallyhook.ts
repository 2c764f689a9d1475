import { destination, type Logger, pino } from 'pino';
import { type Config, loadConfig } from '../config/load.ts';
import { requireKeyPairs } from '../config/required-keys.ts';
import type { SweepResult } from '../confirm/sweep-result.ts';
import { isRecord, namesOf, requireArgument, requireKnown, requireObject } from '../domain/misuse.ts';
import type { OnConfirmed } from '../forward/in-process.ts';
import type { StoreError } from '../store/error.ts';
import { systemClock } from '../time/clock.ts';
import { startApp } from './app.ts';
import type { HostApplication } from './http-server.ts';

export interface TallyhookOptions {
  /** Path of the configuration file, or a configuration that `loadConfig` read. */
  readonly config: string | Config;
  /** Your Fastify application, or a plugin's part of it, before it listens: of any server, logger and type provider. */
  readonly app: HostApplication;
  /** Receives confirmed news in order per record; delivered when its promise resolves, tried again when it rejects. */
  readonly onConfirmed: OnConfirmed;
  /** Default: JSON lines on stderr, of `log.level`. */
  readonly log?: Logger;
  /** Also starts on a network or overlay file system, which can lose what was acknowledged. Default: false. */
  readonly unsafeFileSystem?: boolean;
  /** The store cannot go on, and no delivery may be acknowledged any more. Default: closes `app`. */
  readonly onFatal?: (error: StoreError) => void;
}

export interface Tallyhook {
  /**
   * Checks the status of every record that is due now, and resolves with the counts; news of what changed then comes to
   * `onConfirmed`. For tests, and for a program without `schedule.sweep`. A record is due `confirm.debounceSeconds` after its webhook.
   *
   * @throws TallyhookError when `baseUrl` is not set, or an answer cannot be kept
   */
  readonly sweep: () => Promise<SweepResult>;
  /** Stops within `receiver.shutdownTimeoutMs`. What is not carried out by then waits in the log for the next start. Closing `app` does it too. */
  readonly close: () => Promise<void>;
}

/**
 * Puts the receiver into your Fastify application, and runs the log, the database, the schedule and the targets in this process: what `serve` does,
 * without its listeners. Rows of the outbox, their order and their retries are those of any target.
 *
 * @throws TallyhookError when the configuration is wrong, has no key pair, or the database cannot be opened; on a full disk deliveries are
 * answered 503 until it can be
 */
export async function startTallyhook(options: TallyhookOptions): Promise<Tallyhook> {
  requireObject('The argument of startTallyhook', options, 'startTallyhook({ config, app, onConfirmed })');
  requireKnown(options, KNOWN);
  const { config: given, app: host, onConfirmed } = options;
  const isConfig = typeof given === 'string' || (isRecord(given) && Array.isArray(given.keyPairs));
  requireArgument('config', given, isConfig, 'the path of a file, or what loadConfig returned');
  requireArgument('app', host, typeof host?.register === 'function', 'a Fastify application');
  requireArgument('onConfirmed', onConfirmed, typeof onConfirmed === 'function', 'a function');
  requireOptional(options);
  const config = typeof given === 'string' ? loadConfig({ file: given }) : given;
  requireKeyPairs(config);
  const log = options.log ?? pino({ level: config.log.level }, destination({ fd: 2, sync: true }));
  const onFatal = (error: StoreError) => {
    log.fatal({ err: error, hint: error.hint }, 'the database cannot be trusted; closing');
    if (options.onFatal === undefined) host.close();
    else options.onFatal(error);
  };
  const { unsafeFileSystem } = options;
  const parts = { clock: systemClock, log, unsafeFileSystem, onFatal, onConfirmed, host };
  const { sweep, close } = await startApp(config, parts);
  host.addHook('onClose', close);
  return { sweep, close };
}

const KNOWN = namesOf<TallyhookOptions>({
  config: true,
  app: true,
  onConfirmed: true,
  log: true,
  unsafeFileSystem: true,
  onFatal: true,
});

function requireOptional({ log, unsafeFileSystem, onFatal }: TallyhookOptions): void {
  const isUnset = (value: unknown) => value === undefined;
  requireArgument('log', log, isUnset(log) || typeof log?.child === 'function', 'a logger of pino');
  const isFlag = isUnset(unsafeFileSystem) || typeof unsafeFileSystem === 'boolean';
  requireArgument('unsafeFileSystem', unsafeFileSystem, isFlag, 'true or false');
  requireArgument('onFatal', onFatal, isUnset(onFatal) || typeof onFatal === 'function', 'a function');
}
