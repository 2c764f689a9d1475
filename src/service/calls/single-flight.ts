/**
 * Lets equal requests that are made at the same time share one: the second gets the promise of the first (decision 34). A
 * request that fails is gone when its promise rejects, so the next one runs again.
 */
export function singleFlight<Answer>() {
  const running = new Map<string, Promise<Answer>>();

  return (name: string, start: () => Promise<Answer>): Promise<Answer> => {
    const known = running.get(name);
    if (known !== undefined) return known;
    const started = start().finally(() => running.delete(name));
    running.set(name, started);
    return started;
  };
}
