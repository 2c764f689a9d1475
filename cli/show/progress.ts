const WIDTH = 24;
/** Drawing more often than this would only flicker. */
const DRAW_EVERY_MS = 100;

/** A bar on stderr while long work goes on; silent when stderr is no terminal. */
export interface Progress {
  step(done: number): void;
  /** Wipes the bar away: the result speaks for itself. */
  end(): void;
}

/** `total` may grow out of date: the bar is full then, and the count goes on. Null: nobody knows, and there is only the count. */
export function progressBar(total: number | null, what: string): Progress {
  const { stderr } = process;
  if (stderr.isTTY !== true || total === 0) return { step: () => {}, end: () => {} };
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    step(done) {
      const now = performance.now();
      if (now - drawnAt < DRAW_EVERY_MS) return;
      drawnAt = now;
      stderr.write(`\r${total === null ? done : `${bar(done / total)} ${done} of ${total}`} ${what}\x1b[K`);
    },
    end: () => void stderr.write('\r\x1b[K'),
  };
}

function bar(share: number): string {
  const full = Math.round(WIDTH * Math.min(1, share));
  return '█'.repeat(full) + '░'.repeat(WIDTH - full);
}
