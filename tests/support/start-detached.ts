/** Starts a detached process of this computer as a job is started: `node start-detached.js FOLDER SCRIPT`. */
import { createLocalMachine } from '../../main/machines';

const [folder = '', script = ''] = process.argv.slice(2);
const started = await createLocalMachine(folder).spawnDetached({
  command: '/bin/sh',
  args: ['-c', script],
  cwd: folder,
  env: {},
});
process.stdout.write(JSON.stringify(started));
