import { drawnLink, linkAddress } from '../../../src/access/link-address.ts';
import type { Config } from '../../../src/config/load.ts';
import { ROLES } from '../../../src/domain/access/roles.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { DAY_MS } from '../../../src/time/clock.ts';
import { drawnToken } from '../users/act.ts';

/** The one user of a demo that is kept, who may do everything. */
const NAME = 'Demo';
const TOKEN_DAYS = 90;

/** What lets a person into the demo: once in a browser, and on the command line. */
export interface DemoLogin {
  /** The address of a one-time link. */
  readonly link: string;
  readonly token: string;
}

/** Adds the user of the demo. From then on names are proved there, as in an installation with people. */
export async function addDemoUser(config: Config): Promise<DemoLogin> {
  const [token, link] = [drawnToken(NAME, TOKEN_DAYS * DAY_MS), drawnLink()];
  const { users, close } = await storeOf(config).operations();
  try {
    const order = { name: NAME, by: NAME, roles: ROLES, token: token.kept, link: link.kept };
    const result = await users.add(order);
    if (result.outcome === 'refused') throw new TallyhookError(result.message, { kind: 'failed', hint: result.hint });
  } finally {
    await close();
  }
  return { link: linkAddress(config.dashboard, link.text), token: token.text };
}
