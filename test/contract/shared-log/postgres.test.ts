import { describe } from 'vitest';
import { openPostgresLog } from '../../../src/store/cluster/postgres/log.ts';
import { openPostgresUpkeep } from '../../../src/store/cluster/postgres/upkeep.ts';
import { beganOn, orderOf } from '../../support/postgres/log.ts';
import { sharedPostgres } from '../../support/postgres/server.ts';
import { proveSharedLog } from './shared-log-claims.ts';

describe('in PostgreSQL', () =>
  proveSharedLog(async () => {
    const server = await sharedPostgres();
    const order = orderOf(server.url(await beganOn(server)));
    return {
      open: async (name, known = null, evenLeft = false) => openPostgresLog(order, { name, known, evenLeft }),
      upkeep: async () => openPostgresUpkeep(order),
      remove: async () => {},
    };
  }));
