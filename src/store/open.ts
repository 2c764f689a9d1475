/*
 * The one door to an engine: everything above `store/` opens its inbox, archive, operations, request journal, tracking and
 * upkeep here. SQLite is the only engine so far.
 */

export { type OpenOperations, startOperations } from './sqlite/operations.ts';
export { openArchive } from './sqlite/read/archive.ts';
export { type JournalOptions, type OpenJournal, openRequestJournal } from './sqlite/request-journal.ts';
export { openTrackingStore } from './sqlite/tracking.ts';
export { type BackupResult, backUp } from './sqlite/upkeep/backup.ts';
export { backUpInSideProcess } from './sqlite/upkeep/backup-side-process.ts';
export { type DatabaseFacts, databaseFacts, type PrunedBodies } from './sqlite/upkeep/facts.ts';
export { type Migrated, migrateDatabase } from './sqlite/upkeep/migrate-database.ts';
export { planRestore, type RestorePlan, restore } from './sqlite/upkeep/restore.ts';
export { type InboxOptions, type OpenInbox, openInbox } from './sqlite/writer/inbox.ts';
