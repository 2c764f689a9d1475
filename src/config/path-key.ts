/** Text that is the same for the same path, for sets of paths; a message shows `pathText`. */
export function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
