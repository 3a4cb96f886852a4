// Run: npx vitest run --config tests/bench/saturation/bench.config.ts
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSandboxGrader } from '../../../main/grading';
import { fakeGrader, type Load, type Measured, measure } from './simulated-load';

function report(name: string, load: Load, measured: Measured): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [
    `${name}: ${load.problems} problems x N = ${load.nodes}, ${load.slots} slots of ${load.latencyMs} ms`,
    `  slots busy           ${percent(measured.busy)} of the whole run`,
    `  by tenths            ${measured.tenths.map(percent).join('  ')}`,
    `  whole study          ${measured.seconds.toFixed(1)} s, ideal ${measured.idealSeconds.toFixed(1)} s`,
    `  event-loop delay     p99 ${measured.delayP99Ms.toFixed(1)} ms, longest ${measured.delayMaxMs.toFixed(1)} ms`,
    `  main and computer    ${measured.cpuMsPerNode.toFixed(2)} ms of processor a node, loop busy ${percent(measured.loopBusy)}, load ${measured.load}`,
    `  made                 ${measured.nodes} nodes, ${measured.graded} graded`,
  ].join('\n');
}

// With 64 slots a tenth is 16 answers long, so that the first and the last also show the ends; with 16 it is 66.
test.each([64, 16])('an instant grader (a fake): %i slots stay busy over 175 trees of 60', async (slots) => {
  const load: Load = { problems: 175, nodes: 60, slots, latencyMs: 200, pocketAnswers: false };
  const measured = await measure(load, fakeGrader());
  process.stdout.write(`${report('instant grader (a fake)', load, measured)}\n`);
  expect(measured.nodes).toBe(load.problems * load.nodes);
  expect(measured.graded).toBe(measured.nodes);
});

test('the real sandbox: 4 slots stay busy over 40 trees of 20', async () => {
  const load: Load = { problems: 40, nodes: 20, slots: 4, latencyMs: 200, pocketAnswers: true };
  const grader = await openSandboxGrader({
    resourcesDir: join(import.meta.dirname, '../../../resources'),
    allowUnsandboxed: false,
  });
  if (!grader.ok) throw new Error(`${grader.error.message} ${grader.error.hint ?? ''}`);
  const measured = await measure(load, grader.value);
  await grader.value.dispose();
  process.stdout.write(`${report('the real sandbox', load, measured)}\n`);
  expect(measured.nodes).toBe(load.problems * load.nodes);
});
