import { describe } from 'vitest';
import { openLog } from '../../support/shared-log/client.ts';
import { LogInMemory } from '../../support/shared-log/in-memory.ts';
import { serveLog } from '../../support/shared-log/served.ts';
import { proveSharedLog } from './shared-log-claims.ts';

describe('in memory', () =>
  proveSharedLog(async () => {
    const log = new LogInMemory(() => 1_000);
    return {
      open: async (name, known = null, evenLeft = false) => log.open(name, known, evenLeft),
      upkeep: async () => log.upkeep(),
      remove: async () => {},
    };
  }));

describe('in memory, of other threads and processes', () =>
  proveSharedLog(async () => {
    const log = new LogInMemory(() => 1_000);
    const served = await serveLog(log);
    return {
      open: async (name, known = null, evenLeft = false) => openLog(served.path, { name, known, evenLeft }),
      upkeep: async () => log.upkeep(),
      remove: () => served.close(),
    };
  }));
