import type { Config } from '../../../src/config/load.ts';
import type { Unconfirmed } from '../../../src/store/stuck.ts';
import { type Check, ok, skipped, warning } from './check.ts';

/** Whether the endpoints that tell a status do so (decisions 47 and 72): records wait where one never has. */
export function checkEndpoints({ baseUrl }: Config, waiting: readonly Unconfirmed[]): Check[] {
  if (baseUrl === null) return [skipped('confirming', 'baseUrl is not set: nothing is asked, only received')];
  const checks = waiting.map(checkEndpoint);
  return checks.length > 0 ? checks : [ok('confirming', 'no record waits for an endpoint that never answers')];
}

function checkEndpoint({ kind, environment, because, records, atLeast }: Unconfirmed): Check {
  const name = `confirming ${environment} ${kind}s`;
  const count = `${atLeast ? 'at least ' : ''}${records} ${records === 1 ? 'waits' : 'wait'}`;
  const setting = kind === 'payout' ? 'service.payoutPath' : 'service.collectionPath';
  if (because === 'unconfirmable') return skipped(name, `${setting} is null: there is nobody to ask; ${count}`);
  const hint = `Check ${setting} with a reference of yours: tallyhook ${kind === 'payout' ? 'payouts status' : 'collections verify'} REF`;
  return warning(name, `unproven: the endpoint has never given a usable answer; ${count}`, hint);
}
