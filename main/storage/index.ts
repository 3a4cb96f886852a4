/**
 * What lasts. Registry: the small data, one file replaced whole. Record store: a file a record, each replaced whole.
 * Journal: the append-only truth about one run.
 * Data lock: the right to a data folder. Slim: an event without the detail that only an inspector looks at.
 */
export { type DataLock, type LockHolder, lockDataDir } from './data-lock';
export { makeFolder, replaceFile, syncFolder } from './durable-file';
export { textDigest } from './interner';
export {
  type Journal,
  type JournalReading,
  type NodeRecord,
  openJournal,
  readJournal,
  readJournalStart,
  streamJournal,
} from './journal';
export { slimOf } from './journal-line';
export { damageText, type JournalDamage } from './journal-reader';
export { type JournalRepair, repairJournal } from './journal-repair';
export { JournalWriteError } from './journal-writer';
export { type JsonReading, readJson, writeJson } from './json-file';
export { type ByteLine, LineSplitter, LineTooLongError } from './line-splitter';
export { processStart } from './process-identity';
export {
  openRecordStore,
  type RecordChange,
  type RecordStore,
  type RecordStoreOptions,
  type StoredRecord,
  type UnreadableRecord,
} from './record-store';
export { type DamagedFile, openRegistry, type Registry } from './registry';
export {
  emptyRegistry,
  REGISTRY_VERSION,
  type RegistryData,
  type Speed,
  type StudyRecord,
  type WindowBounds,
} from './registry-data';
export { reasonOf, systemErrorCode } from './system-error';
