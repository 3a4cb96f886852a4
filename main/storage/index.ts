/**
 * Data on disk. Registry: settings and other small data in one file. Record store: one file per record. (Both replace a
 * file atomically.) Journal: the append-only record of one run. Data lock: exclusive use of a data folder. Slim event:
 * without the detail that only the inspector of a node shows.
 */
export { dataFolderRefusal } from './data-folder';
export { type LockRefusal, lockDataDir, lockFolder } from './data-lock';
export { type Download, type DownloadFailure, download } from './download';
export {
  makeFolder,
  makeUserFolder,
  replaceFile,
  replaceSharedFile,
  replaceUserFile,
  syncFolder,
  userFileMode,
} from './durable-file';
export { folderBytes } from './folder-bytes';
export { hashFile, sha256OfFile } from './hash-file';
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
export { rewriteLine, withoutDetail } from './journal-line';
export { damageText, type JournalDamage } from './journal-reader';
export { repairJournal } from './journal-repair';
export { JournalWriteError } from './journal-writer';
export { type JsonReading, readJson, writeJson } from './json-file';
export { LineSplitter, LineTooLongError } from './line-splitter';
export { moveAside, movedAside } from './move-aside';
export { damageOf, damageRefusal, damageSentences, type OutcomeFile } from './outcome-files';
export { keepFilesPrivate, makePrivate, userUmask, userUmaskLine } from './private-files';
export { processStart } from './process-identity';
export {
  openRecordStore,
  type RecordStore,
  type RecordStoreOptions,
  type UnreadableRecord,
} from './record-store';
export { openRegistry, type Registry } from './registry';
export {
  emptyRegistry,
  type RegistryData,
  type Speed,
  type StudyRecord,
  type WindowBounds,
} from './registry-data';
export { unreadNames } from './registry-sections';
export {
  openRegradeJournal,
  type RegradeJournal,
  type RegradeReading,
  readRegradeJournal,
} from './regrade-journal';
export { readSealed, resealed, sealed, unsealed } from './sealed-json';
export { reasonOf, systemErrorCode, writeReasonOf } from './system-error';
export { readWindowState } from './window-state';
