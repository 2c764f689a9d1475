/** A broken rule between two settings. */
export interface CrossProblem {
  readonly path: readonly PropertyKey[];
  readonly rule: string;
}

/** The map of that name in a tree as written; empty where there is none. */
export function mapAt(tree: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object(tree[name]) as Record<string, unknown>;
}
