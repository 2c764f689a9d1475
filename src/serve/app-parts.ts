import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import type { SweepResult } from '../confirm/sweep-result.ts';
import type { KeyPair } from '../domain/environment.ts';
import type { OnConfirmed } from '../forward/in-process.ts';
import type { StoreError } from '../store/error.ts';
import type { Clock } from '../time/clock.ts';
import type { HostApplication } from './http-server.ts';
import type { PassedSockets } from './sockets.ts';
import type { Watcher } from './watcher.ts';

// What `startApp` takes and gives: `serve` and `startTallyhook` are its two callers.

export interface App {
  /** Empty with a host. */
  readonly receiverUrl: string;
  readonly adminUrl: string;
  /** Null: it is not enabled. */
  readonly dashboardUrl: string | null;
  /** Replaces the key pairs; deliveries under way finish with the old ones. */
  reloadKeys(keyPairs: readonly KeyPair[]): void;
  /** Later requests to targets are signed with the secrets of this configuration. Returns the names of these targets. */
  reloadTargetSecrets(config: Pick<Config, 'forward'>): readonly string[];
  /** Checks every record that is due now, as the command `sweep` does. */
  sweep(): Promise<SweepResult>;
  /** Stops accepting, answers the accepted deliveries, writes them to disk. Idempotent. */
  close(): Promise<void>;
}

export interface AppParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** The level of the line per kept delivery; `info` for a person at a terminal. Default `debug`. */
  readonly deliveryLevel?: 'info' | 'debug';
  /** Also starts on a file system that can lose what was acknowledged. Default false. */
  readonly unsafeFileSystem?: boolean | undefined;
  /** Sockets that a service manager opened; a listener without one opens its own. Default none. */
  readonly sockets?: PassedSockets;
  /** Called once, when no delivery may be acknowledged any more. */
  readonly onFatal: (error: StoreError) => void;
  readonly watcher?: Watcher;
  /** The application in this process, a target of confirmed news. */
  readonly onConfirmed?: OnConfirmed | undefined;
  /** Takes deliveries in place of a listener of our own; then there is no admin listener either. The caller listens and closes. */
  readonly host?: HostApplication | undefined;
}
