import { isOver, SHEET_LEASE_MS } from '../../../domain/jobs/process-lease.ts';
import type { Drawn } from '../../caller.ts';
import { StoreError } from '../../error.ts';
import type { SheetBegun } from '../../sheet-imports.ts';
import { type Database, writing } from '../engine/database.ts';

interface LeaseRow {
  readonly id: number;
  readonly leasedUntilMs: number;
  readonly machine: string;
  readonly pid: number;
}

/** Leases of imports of spreadsheets: a file is imported by one process at a time. */
export function sheetImports(database: Database) {
  const isKnown = database.prepare<[string], number>('SELECT 1 FROM exception_sheets WHERE digest = ?').pluck();
  const leases = database.prepare<[], LeaseRow>(
    'SELECT id, leased_until AS leasedUntilMs, machine, pid FROM exception_sheet_imports',
  );
  const isHeld = database.prepare<[string], number>('SELECT 1 FROM exception_sheet_imports WHERE digest = ?').pluck();
  const lease = database
    .prepare<{ digest: string; untilMs: number; machine: string; pid: number }, number>(`
      INSERT INTO exception_sheet_imports (digest, leased_until, machine, pid)
      VALUES (@digest, @untilMs, @machine, @pid) RETURNING id`)
    .pluck();
  const renew = database.prepare<[number, number]>('UPDATE exception_sheet_imports SET leased_until = ? WHERE id = ?');
  const free = database.prepare<[number]>('DELETE FROM exception_sheet_imports WHERE id = ?');

  return {
    begin: writing(database, ({ digest, nowMs, caller }: { digest: string } & Drawn): SheetBegun => {
      for (const { id, leasedUntilMs, machine, pid } of leases.all()) {
        if (isOver({ leasedUntilMs, isGone: caller.isGone({ machine, pid }) }, nowMs, SHEET_LEASE_MS)) free.run(id);
      }
      if (isKnown.get(digest) !== undefined) return { outcome: 'known' };
      if (isHeld.get(digest) !== undefined) return { outcome: 'busy' };
      const untilMs = nowMs + SHEET_LEASE_MS;
      const { machine, pid } = caller;
      const id = lease.get({ digest, untilMs, machine, pid }) as number;
      return { outcome: 'begun', lease: id };
    }),

    /** The caller holds the transaction. Throws a StoreError when the lease is over. */
    renew(id: number, nowMs: number): void {
      if (renew.run(nowMs + SHEET_LEASE_MS, id).changes > 0) return;
      throw new StoreError('other', 'The spreadsheet is not being imported any more: another import of it took over.', {
        hint: 'Import it again, to see what became of it: tallyhook exceptions import FILE',
      });
    },

    end: ({ lease: id }: { lease: number }): void => void free.run(id),
  };
}
