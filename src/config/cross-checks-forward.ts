import { IN_PROCESS_TARGET, KNOWN_EVENTS, matchesEvent } from '../domain/forwarding/forward-target.ts';
import { targetUrlProblem } from '../http/addresses.ts';
import { didYouMean } from './did-you-mean.ts';

interface CrossProblem {
  readonly path: readonly PropertyKey[];
  readonly rule: string;
}

/** Returns the broken rules about targets that concern two settings, or two targets; on the values as written. */
export function forwardProblems(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const forward = Object(tree.forward) as Record<string, unknown>;
  const targets = Array.isArray(forward.targets) ? forward.targets : [];
  const names = new Map<string, number>();
  const secrets = new Map<string, string>();
  return targets.flatMap((value, index) => {
    const target = Object(value) as Record<string, unknown>;
    const path = ['forward', 'targets', index];
    return [
      ...nameProblems(target.name, [...path, 'name'], names, index),
      ...urlProblems(target, forward, [...path, 'url']),
      ...secretProblems(target.secrets, [...path, 'secrets'], secrets),
      ...eventProblems(target, path),
    ];
  });
}

function nameProblems(
  name: unknown,
  path: readonly PropertyKey[],
  names: Map<string, number>,
  index: number,
): CrossProblem[] {
  if (typeof name !== 'string') return [];
  if (name === IN_PROCESS_TARGET) return [{ path, rule: 'is the name of the application in the same process' }];
  const earlier = names.get(name);
  if (earlier !== undefined) return [{ path, rule: `is the name of forward.targets[${earlier}]; each needs its own` }];
  names.set(name, index);
  return [];
}

function urlProblems(
  target: Readonly<Record<string, unknown>>,
  forward: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
): CrossProblem[] {
  if (typeof target.url !== 'string') return [];
  const isOn = (name: string) => String(target[name] ?? forward[name] ?? false) === 'true';
  const rule = targetUrlProblem(target.url, { allowHttp: isOn('allowHttp'), allowPrivate: isOn('allowPrivate') });
  return rule === null ? [] : [{ path, rule }];
}

/** One secret for two receivers would let each forge news for the other. */
function secretProblems(value: unknown, path: readonly PropertyKey[], secrets: Map<string, string>): CrossProblem[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((secret, index) => {
    if (typeof secret !== 'string') return [];
    const earlier = secrets.get(secret);
    secrets.set(secret, earlier ?? `forward.targets[${String(path[2])}].secrets[${index}]`);
    return earlier === undefined ? [] : [{ path: [...path, index], rule: `is used twice: it is also ${earlier}` }];
  });
}

function eventProblems(target: Readonly<Record<string, unknown>>, path: readonly PropertyKey[]): CrossProblem[] {
  const { when = 'confirmed', news, events } = target;
  const problems: CrossProblem[] = [];
  if (when === 'received' && news !== undefined && news !== null)
    problems.push({ path: [...path, 'news'], rule: 'does not go with when: received; choose by events' });
  if (events === undefined || events === null) return problems;
  if (when !== 'received') problems.push({ path: [...path, 'events'], rule: 'needs when: received' });
  const all = Array.isArray(events) ? events : [];
  for (const [index, event] of all.entries()) {
    const rule = typeof event === 'string' ? eventProblem(event) : null;
    if (rule !== null) problems.push({ path: [...path, 'events', index], rule });
  }
  return problems;
}

/** `refund.*` and its like. */
const PATTERNS = [
  ...new Set(KNOWN_EVENTS.filter((event) => event.includes('.')).map((event) => event.replace(/\..*/, '.*'))),
];

/** An event of no known kind may be named in full: it may come. A pattern, or a name like a known one, must match one. */
function eventProblem(event: string): string | null {
  if (KNOWN_EVENTS.some((known) => matchesEvent(event, known))) return null;
  const meant = didYouMean(event, event.includes('*') ? PATTERNS : KNOWN_EVENTS);
  if (meant !== undefined) return `matches no known event. Did you mean ${meant}?`;
  const isOfKnownKind = event.startsWith('refund.');
  return event.includes('*') || isOfKnownKind ? `matches no known event: ${KNOWN_EVENTS.join(', ')}` : null;
}
