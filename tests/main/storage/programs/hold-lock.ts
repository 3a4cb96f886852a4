import { writeSync } from 'node:fs';
import { lockDataDir } from '../../../../main/storage';

/**
 * Takes the lock of a folder, prints the outcome in one line, and holds it until it is killed or asked to end, or has lost
 * it, which it prints. Its second argument are the options.
 */
const lock = await lockDataDir(process.argv[2] ?? '', {
  ...JSON.parse(process.argv[3] ?? '{}'),
  onLost: () => {
    writeSync(1, 'lost\n');
    process.exit(3);
  },
});
writeSync(1, `${lock.ok ? 'taken' : lock.error.code}\n`);
if (lock.ok) {
  process.stdin.once('data', () => {
    lock.value.dispose();
    process.exit(0);
  });
}
