const WIDTH = 24;
/** The bar is drawn at most once in 100 ms: more often, it flickers. */
const DRAW_EVERY_MS = 100;

/** A progress bar on stderr; draws nothing when stderr is no terminal. */
export interface Progress {
  /** `remark` stands behind the bar, and is drawn at once. */
  step(done: number, remark?: string): void;
  /** Removes the bar. */
  end(): void;
}

/** Beyond `total` the bar stays full and the count goes on. Null: the total is unknown, and only the count is drawn. */
export function progressBar(total: number | null, what: string): Progress {
  const { stderr } = process;
  if (stderr.isTTY !== true || total === 0) return { step: () => {}, end: () => {} };
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    step(done, remark = '') {
      const now = performance.now();
      if (remark === '' && now - drawnAt < DRAW_EVERY_MS) return;
      drawnAt = now;
      const count = total === null ? done : `${bar(done / total)} ${done} of ${total}`;
      stderr.write(`\r${count} ${what}${remark === '' ? '' : ` - ${remark}`}\x1b[K`);
    },
    end: () => void stderr.write('\r\x1b[K'),
  };
}

function bar(share: number): string {
  const full = Math.round(WIDTH * Math.min(1, share));
  return '█'.repeat(full) + '░'.repeat(WIDTH - full);
}
