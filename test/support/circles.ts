/** The circles of a graph of imports: every group of files that reach each other, sorted. A file may import itself, too. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...graph.keys()].map((file) => [file, reachedFrom(file, graph)]));
  const groups = new Map<string, string[]>();
  for (const file of graph.keys()) {
    if (!reached.get(file)?.has(file)) continue;
    const group = [...graph.keys()].filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file));
    groups.set(group.sort().join(' '), group);
  }
  return [...groups.values()].sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
}

function reachedFrom(file: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [...(graph.get(file) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return reached;
}
