/** The most that one poll counts towards the timeout: a machine that was paused did not wait. */
const LONGEST_POLL_MS = 250;

/** Polls until `holds` returns true; throws after `timeoutMs`. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  let waitedMs = 0;
  for (;;) {
    const polledAt = performance.now();
    if (await holds()) return;
    if (waitedMs > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    waitedMs += Math.min(LONGEST_POLL_MS, performance.now() - polledAt);
  }
}
