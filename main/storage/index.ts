/**
 * Data on disk. Registry: settings and other small data in one file. Record store: one file per record. (Both replace a
 * file atomically.) Journal: the append-only record of one run. Data lock: exclusive use of a data folder. Slim event:
 * without the detail that only the inspector of a node shows.
 */
export { type DataLock, lockDataDir } from './data-lock';
export {
  makeFolder,
  makeUserFolder,
  replaceFile,
  replaceSharedFile,
  replaceUserFile,
  syncFolder,
  userFileMode,
} from './durable-file';
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
export { changedLine, slimOf } from './journal-line';
export { damageText, type JournalDamage } from './journal-reader';
export { type JournalRepair, repairJournal } from './journal-repair';
export { JournalWriteError } from './journal-writer';
export { type JsonReading, readJson, writeJson } from './json-file';
export { type ByteLine, LineSplitter, LineTooLongError } from './line-splitter';
export { keepFilesPrivate, makePrivate, userUmask, userUmaskLine } from './private-files';
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
export { type UnreadValue, unreadNames } from './registry-sections';
export {
  openRegradeJournal,
  type RegradeJournal,
  type RegradeReading,
  readRegradeJournal,
} from './regrade-journal';
export { readSavedLook, type SavedLook } from './saved-look';
export { reasonOf, systemErrorCode, writeReasonOf } from './system-error';
