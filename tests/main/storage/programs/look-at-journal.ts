import { dirname } from 'node:path';
import {
  lockFolder,
  openJournal,
  readJournal,
  repairJournal,
  replaceFile,
  systemErrorCode,
} from '../../../../main/storage';

/** Looks at a journal, then tries everything that writes; prints what came of it. */
const path = process.argv[2] ?? '';
const reading = await readJournal(path);
if (!reading.ok) throw new Error(reading.error.message);
const record = await reading.value.readDetail('p/1', 'search', 0);
const opened = await openJournal(path);
const repaired = await repairJournal(path);
const replaced = await replaceFile(`${path}.summary`, 'kept').then(
  () => 'written',
  (error: unknown) => systemErrorCode(error),
);
const locked = await lockFolder(dirname(path));
process.stdout.write(
  `${JSON.stringify({
    events: reading.value.events().length,
    damage: reading.value.damage,
    program: record?.node.detail?.program,
    opened: opened.ok ? 'opened' : opened.error.message,
    repaired: repaired.ok ? 'repaired' : repaired.error.message,
    replaced,
    locked: locked.ok ? 'locked' : locked.error.message,
  })}\n`,
);
await reading.value.close();
