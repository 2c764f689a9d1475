/** Work scheduled for a sandbox time. Plain data, so that a snapshot can hold it. */
export interface Job {
  readonly id: number;
  readonly dueMs: number;
  readonly kind: JobKind;
  readonly data: Readonly<Record<string, string>>;
}

export type JobKind = 'resolve_collection' | 'settle_lot' | 'finish_payout' | 'reverse_payout' | 'deliver';

const before = (a: Job, b: Job): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.id < b.id);

/** A binary heap of jobs by due time; jobs due at the same time keep the order in which they were scheduled. */
export class JobHeap {
  private readonly items: Job[] = [];

  peek(): Job | undefined {
    return this.items[0];
  }

  push(job: Job): void {
    const { items } = this;
    let at = items.push(job) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up];
      if (!parent || before(parent, job)) break;
      items[at] = parent;
      at = up;
    }
    items[at] = job;
  }

  pop(): Job | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (!first || !last || items.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = items[2 * at + 1];
      const right = items[2 * at + 2];
      if (!left) break;
      const takeRight = right !== undefined && before(right, left);
      const child = takeRight ? right : left;
      if (before(last, child)) break;
      items[at] = child;
      at = 2 * at + (takeRight ? 2 : 1);
    }
    items[at] = last;
    return first;
  }

  /** All jobs, unordered. */
  list(): readonly Job[] {
    return this.items;
  }

  clear(): void {
    this.items.length = 0;
  }
}
