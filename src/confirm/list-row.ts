import type { ListedRefund } from '../domain/checks/listed-refund.ts';
import type { Environment } from '../domain/environment.ts';
import { canonicalDigest, type JsonObject } from '../domain/events/json.ts';
import { environmentFault, referenceOf } from '../domain/events/naming.ts';
import { readStated } from '../domain/events/stated.ts';

/**
 * Reads one row of the service's list of refunds (interface 4.4 does not show its fields; those of 2.4 are read). Null for a
 * row without a usable reference, or whose `domain` is not this environment (rule 4.4.7). `zone` reads zone-less times
 * (decision 87).
 */
export function listRow(wire: JsonObject, environment: Environment, zone: string): ListedRefund | null {
  const reference = referenceOf(wire, 'refund');
  if (reference === null || environmentFault([wire], environment) !== null) return null;
  const stated = readStated('refund', wire, zone);
  const times = Object.values(stated.times).flatMap((time) => (time?.utc == null ? [] : [Date.parse(time.utc)]));
  const latestMs = times.length === 0 ? null : Math.max(...times);
  return { reference, stated, digest: canonicalDigest(wire), latestMs };
}
