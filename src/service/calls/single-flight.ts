/**
 * Returns a function that lets concurrent equal requests share one: the second gets the promise of the first (decision 34).
 * A request ends with its promise, so a later equal one runs again.
 */
export function singleFlight<Result>() {
  const running = new Map<string, Promise<Result>>();

  return (name: string, start: () => Promise<Result>): Promise<Result> => {
    const known = running.get(name);
    if (known !== undefined) return known;
    const started = start().finally(() => running.delete(name));
    running.set(name, started);
    return started;
  };
}
