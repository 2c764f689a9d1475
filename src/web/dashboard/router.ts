import { MAY, type PersonAct, type Role } from '../../domain/access/roles.ts';
import type { AnyRoute } from './route.ts';

/** A route that an address leads to, with the parameters of its path. */
export interface Found {
  readonly route: AnyRoute;
  readonly params: Readonly<Record<string, string>>;
}

export type Search =
  | ({ readonly is: 'found' } & Found)
  /** There is such an address, for another method. */
  | { readonly is: 'other_method'; readonly allow: readonly string[] }
  | { readonly is: 'nothing' };

/** What `dashboard routes` prints. */
export interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly act: PersonAct;
  readonly roles: readonly Role[];
  readonly weight: 'light' | 'aside';
}

/** A parameter is no longer than a reference may be, percent-encoded. */
const LONGEST_PATH = 2_048;

/** Leads addresses to routes. Each route is in the table of roles, or nothing starts. */
export class Router {
  readonly #routes: readonly { readonly route: AnyRoute; readonly segments: readonly string[] }[];

  /** @throws Error for a route whose act is not in the table of roles, or that another route hides */
  constructor(routes: readonly AnyRoute[]) {
    const seen = new Set<string>();
    for (const { method, path, act } of routes) {
      if (!Object.hasOwn(MAY, act)) throw new Error(`${method} ${path}: the act ${act} is not in the table of roles.`);
      const shape = `${method} ${path.replaceAll(/:\w+/g, ':')}`;
      if (seen.has(shape)) throw new Error(`${method} ${path}: another route has this address.`);
      seen.add(shape);
    }
    this.#routes = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  }

  find(method: string, path: string): Search {
    const given = path.length > LONGEST_PATH ? null : decodedSegments(path);
    if (given === null) return { is: 'nothing' };
    const there = this.#routes
      .map(({ route, segments }) => ({ route, params: matched(segments, given) }))
      .filter((one): one is Found => one.params !== null)
      // `/statements/new` before `/statements/:id`.
      .sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length);
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = there.find(({ route }) => route.method === wanted);
    // Nothing is computed aside for a head without its body.
    if (found !== undefined && (method !== 'HEAD' || found.route.weight === 'light')) return { is: 'found', ...found };
    const methods = there.map((one) => one.route.method);
    return there.length === 0 ? { is: 'nothing' } : { is: 'other_method', allow: [...new Set(methods)] };
  }

  rows(): RouteRow[] {
    return this.#routes.map(({ route: { method, path, act, weight } }) => {
      return { method, path, act, roles: MAY[act], weight };
    });
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function decodedSegments(path: string): string[] | null {
  try {
    return segmentsOf(path).map(decodeURIComponent);
  } catch {
    return null; // a % that encodes nothing
  }
}

function matched(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const value = given[at] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = value;
    else if (segment !== value) return null;
  }
  return params;
}
