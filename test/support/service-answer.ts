import { canonicalDigest, isObject, type JsonObject, parseBody } from '../../src/domain/events/json.ts';
import { readStated } from '../../src/domain/events/stated.ts';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { ServiceAnswer } from '../../src/store/checks.ts';

/** An object of the service, as it is read from a response. */
export function wire(data: Record<string, unknown>): JsonObject {
  const parsed = parseBody(Buffer.from(JSON.stringify(data)));
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('An object was expected.');
  return parsed.value;
}

/** A usable answer of the status endpoint. */
export function serviceAnswer(kind: RecordKind, status: string, data: Record<string, unknown> = {}): ServiceAnswer {
  const content = wire({ status, ...data });
  return { stated: { ...readStated(kind, content, 'UTC'), status }, digest: canonicalDigest(content) };
}
