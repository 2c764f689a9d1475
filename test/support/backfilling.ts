import { backfill } from '../../src/confirm/backfill.ts';
import type { BackfillOrder } from '../../src/confirm/backfill-order.ts';
import type { BackfillResult, WalkResult } from '../../src/confirm/backfill-result.ts';
import { answer, type Behaviour } from './hostile-server.ts';
import { Sweeping } from './sweeping.ts';

/** A day: the overlap of the orders below. */
export const DAY_MS = 86_400_000;

export const ORDER: BackfillOrder = {
  environments: ['test'],
  sinceMs: null,
  overlapMs: DAY_MS,
  maxPages: 1_000,
  maxRows: 100_000,
  maxMs: 3_600_000,
  perSecond: null,
  giveUpMs: 10_000,
  dryRun: false,
};

/** A database, a clock that stands still, and walks along the lists of the connected service. */
export class Backfilling extends Sweeping {
  backfill(over: Partial<BackfillOrder> = {}): Promise<BackfillResult> {
    return backfill({ ...ORDER, ...over }, this.parts);
  }

  /** The only walk. */
  async walk(over: Partial<BackfillOrder> = {}): Promise<WalkResult> {
    const [walk, ...others] = (await this.backfill(over)).walks;
    if (walk === undefined || others.length > 0) throw new Error('One walk was expected.');
    return walk;
  }

  get references(): string[] {
    return this.rows<{ reference: string }>('SELECT reference FROM refunds ORDER BY reference').map(
      ({ reference }) => reference,
    );
  }

  /** `absent R1` for each open finding of absence. */
  get absent(): string[] {
    return this.rows<{ reference: string }>(
      "SELECT reference FROM findings WHERE code = 'absent' AND closed_at IS NULL ORDER BY reference",
    ).map(({ reference }) => reference);
  }
}

export const STYLES = ['bare', 'meta', 'paginator', 'cursor', 'words'] as const;
export type Style = (typeof STYLES)[number];

/** One row of a list as the service would show it. */
export function listed(reference: string, over: Record<string, unknown> = {}): Record<string, unknown> {
  const amounts = { amount: '50.00', currency: 'USD', transaction_reference: 'TX' };
  return { refund_reference: reference, status: 'success', ...amounts, updated_at: '2026-11-20T09:00:00Z', ...over };
}

/** A service whose refund list is what `rowsNow` returns at each page. */
export function listing(rowsNow: () => readonly unknown[], style: Style = 'bare', pageSize = 20): Behaviour {
  return (socket, request) => {
    const query = new URLSearchParams(/^GET [^? ]*\??(\S*) HTTP/.exec(request)?.[1] ?? '');
    const page = Number(query.get('page') ?? query.get('cursor') ?? 1);
    const rows = rowsNow();
    const data = rows.slice((page - 1) * pageSize, page * pageSize);
    const last = Math.max(1, Math.ceil(rows.length / pageSize));
    const next = page < last ? page + 1 : null;
    const styles: Record<Style, object> = {
      bare: { data },
      meta: { data, meta: { total: rows.length } },
      paginator: {
        data: { current_page: page, data, last_page: last, next_page_url: next && `http://evil.example/?page=${next}` },
      },
      cursor: { data, meta: { next_cursor: next === null ? null : String(next) } },
      words: { data, has_more: next !== null },
    };
    socket.write(answer(200, JSON.stringify({ success: true, message: 'Refunds', ...styles[style] })));
  };
}
