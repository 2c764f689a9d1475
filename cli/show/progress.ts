const WIDTH = 24;
/** The bar is drawn at most once in 100 ms: more often, it flickers. */
const DRAW_EVERY_MS = 100;

/** Time between two lines in a file or a pipe: a task of minutes is seen to go on, a short one leaves none. */
const LINE_EVERY_MS = 15_000;

/** A progress bar on stderr; where that is no terminal, a line now and then. */
export interface Progress {
  /** `remark` stands behind the bar, and is drawn at once. */
  step(done: number, remark?: string): void;
  /** Removes the bar. */
  end(): void;
}

/** Beyond `total` the bar stays full and the count goes on. Null: the total is unknown, and only the count is drawn. */
export function progressBar(total: number | null, what: string): Progress {
  const { stderr } = process;
  if (total === 0) return { step: () => {}, end: () => {} };
  if (stderr.isTTY !== true) return progressLines(total, what);
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

function progressLines(total: number | null, what: string): Progress {
  let writtenAt = performance.now();
  return {
    step(done, remark = '') {
      const now = performance.now();
      if (now - writtenAt < LINE_EVERY_MS) return;
      writtenAt = now;
      const count = total === null ? done : `${done} of ${total}`;
      process.stderr.write(`${count} ${what}${remark === '' ? '' : ` - ${remark}`}\n`);
    },
    end: () => {},
  };
}

function bar(share: number): string {
  const full = Math.round(WIDTH * Math.min(1, share));
  return '█'.repeat(full) + '░'.repeat(WIDTH - full);
}
