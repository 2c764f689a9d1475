import { resolve } from 'node:path';
import type { Credential } from '../../domain/access/proof.ts';
import { STANDARD_CHECK_RULES } from '../../domain/checks/next-check.ts';
import { sharedTimeOf, systemClock } from '../../time/clock.ts';
import type { StoreOptions } from '../library.ts';
import type { Store } from '../store.ts';
import { usualKeyFile } from './engine/audit-key.ts';
import { knownDiskSpaceOf } from './engine/disk-space.ts';
import { hasContents, identityOf, realFile } from './engine/real-file.ts';
import { sqliteUpkeep } from './upkeep/upkeep.ts';

/** The store in one SQLite file and its log: every part, as the port describes it. A part is loaded when it is opened first. */
export function sqliteStore(location: string, options: StoreOptions): Store {
  const { zone = 'Africa/Lagos', encryption = null, debounceMs = 0, checkRules = STANDARD_CHECK_RULES } = options;
  const { clock = systemClock, auditKey } = options;
  const time = sharedTimeOf(clock);
  const file = () => realFile(location);
  /** The file of a database to open: beside the log of one that is gone none is made. */
  const books = async () => {
    const path = file();
    if (!hasContents(path)) (await import('./log/known-log.ts')).expectBooksOfLog(path);
    return path;
  };
  const keyFile = () => (auditKey === undefined ? usualKeyFile(file()) : resolve(auditKey));
  const plain = encryption && { keyHex: encryption.keyHex.reveal(), ivHex: encryption.ivHex.reveal() };
  const carryOut = { zone, encryption: plain, debounceMs };
  const operations = async (create: boolean, credential: Credential | null = null) => {
    const { startOperations } = await import('./operations.ts');
    const data = { path: await books(), carryOut, checkRules, auditKey: keyFile(), create, time };
    return startOperations(data, credential);
  };
  /** Everything that the log holds now. Nothing is opened for writing when nothing waits. */
  const carryOutNow = async () => {
    const { isBehind } = await import('./carry-out/open-carrier.ts');
    if (isBehind(await books())) await (await operations(false)).close();
  };
  return {
    identity: () => visibleIdentity(file()),
    disk: () => knownDiskSpaceOf(file()),
    inbox: async (order) => {
      const { openInbox } = await import('./inbox.ts');
      return openInbox({ path: file(), ...carryOut, checkRules, auditKey: keyFile(), time, ...order });
    },
    archive: async (order) => (await import('./read/archive.ts')).openArchive(await books(), clock, order),
    operations: ({ create = false, credential = null } = {}) => operations(create, credential),
    requestJournal: async () => {
      const { openRequestJournal } = await import('./request-journal.ts');
      return openRequestJournal(await books(), zone, clock);
    },
    auditVerdict: async (order) => {
      const { readAuditVerdict } = await import('./read/audit-fault.ts');
      return readAuditVerdict(file(), keyFile(), order);
    },
    query: async (order, signal) => {
      const { queryInSideProcess } = await import('./query.ts');
      return queryInSideProcess({ path: await books(), ...order }, signal);
    },
    upkeep: sqliteUpkeep(file, clock, carryOutNow),
    cluster: null,
  };
}

/** Null also where this user may not look at the file: opening it says so. */
function visibleIdentity(file: string): string | null {
  try {
    return identityOf(file);
  } catch {
    return null;
  }
}
