import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSandboxGrader } from '../../../main/grading';
import { trainPocket } from '../../../main/trainer';
import { trainingInputSchema } from '../../../main/trainer/pocket/training-input';
import { interpreterGrader } from '../../support/interpreter-grader';

// One training of an experiment: node train-one.mjs SPEC OUT CHECKPOINTS RESOURCES sandbox|interpreter
const [spec, out, checkpoints, resourcesDir, graded] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const input = trainingInputSchema.parse(JSON.parse(await readFile(spec, 'utf8')));
await mkdir(checkpoints, { recursive: true });
const opened =
  graded === 'sandbox'
    ? await openSandboxGrader({ resourcesDir, allowUnsandboxed: false, concurrency: 2 })
    : null;
if (opened !== null && !opened.ok) throw new Error(opened.error.message);
const began = performance.now();
await trainPocket({
  input,
  out,
  checkpoints,
  grader: opened === null ? interpreterGrader() : opened.value,
  now: () => Date.now(),
  stop: { aborted: false },
  saveEveryMs: 60_000,
});
await opened?.value.dispose();
const { user, system } = process.cpuUsage();
const cost = { seconds: (performance.now() - began) / 1_000, cpuSeconds: (user + system) / 1e6 };
await writeFile(join(out, 'cost.json'), `${JSON.stringify(cost)}\n`);
