import { writeSync } from 'node:fs';
import { openJournal } from '../../../../main/storage';
import { nodeAdded, nodeGraded, runStarted } from '../sample-events';

/** Appends nodes until it is killed, or until an append fails; prints each index once its append has resolved. */
const path = process.argv[2] ?? '';
// Without a listener the default action of a file-size limit is to end the process.
process.on('SIGXFSZ', () => undefined);
const opened = await openJournal(path);
if (!opened.ok) throw new Error(opened.error.message);
const journal = opened.value;
try {
  if (journal.events().length === 0) await journal.append(runStarted());
  for (let index = journal.events().filter((event) => event.kind === 'node-added').length; ; index++) {
    await Promise.all([journal.append(nodeAdded(index)), journal.append(nodeGraded(index))]);
    writeSync(1, `${index}\n`);
  }
} catch (error) {
  const again = await journal.append(nodeGraded(0)).then(
    () => 'taken',
    (later: unknown) => (later === error ? 'the same' : 'another'),
  );
  writeSync(1, `${JSON.stringify({ message: error instanceof Error ? error.message : '', again })}\n`);
  await journal.close();
}
