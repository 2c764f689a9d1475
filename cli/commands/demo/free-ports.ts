import { createServer } from 'node:net';
import { UsageError } from '../../options/options.ts';

/** The ports of `demo --keep`: those of `serve` without a configuration. */
const PORTS = [4600, 4601, 4603];

/**
 * Looks before the folder is emptied: what listens there may be a receiver that has its data in it.
 *
 * @throws UsageError when a port is taken
 */
export async function requireFreePorts(): Promise<void> {
  for (const port of PORTS) if (await isTaken(port)) throw takenPort(port);
}

function takenPort(port: number): UsageError {
  return new UsageError(
    `Something listens on 127.0.0.1:${port}, and demo --keep needs that port; nothing was changed.`,
    'Stop what listens there, such as `serve` or another `demo --keep`, or run the demo without --keep.',
  );
}

function isTaken(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(true);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });
}
