// Opens the large study in a fresh process through the whole workbench; prints one JSON line.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Call } from '../../../main/app/dispatch';
import { environmentSecrets } from '../../../main/app/secrets';
import { openWorkbench } from '../../../main/app/workbench';
import {
  type CommandName,
  commands,
  foldRun,
  type Payload,
  type Value,
} from '../../../preload/contract/index';

const dataDir = process.argv[2] ?? '';
const project = process.argv[3] ?? '';
const begun = performance.now();
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
const opened = await openWorkbench({
  secrets: environmentSecrets({}),
  reconnects: false,
  dataDir,
  project,
  appVersion: 'bench',
  kind: 'terminal',
  nodeRuntime: { command: process.execPath, env: {} },
});
if (!opened.ok) throw new Error(opened.error.message);
const workbench = opened.value;
const call: Call = workbench.call;
async function ask<N extends CommandName>(name: N, payload: Payload<N>): Promise<Value<N>> {
  const answer = await call(name, payload, 'window');
  if (!answer.ok) throw new Error(answer.error.message);
  return commands[name].value.parse(answer.value) as Value<N>;
}
const since = (start: number): number => performance.now() - start;
const peakMb = (): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;

const openMs = since(begun);
const [study] = await ask('study.list', {});
if (study === undefined) throw new Error('The study is not listed.');
const listMs = since(begun);
const { id } = study.study;
const [squaresMs, tableMs] = await Promise.all([
  ask('study.outcomes', { studyId: id }).then((outcomes) => {
    if (outcomes.runs.length !== study.study.runs.length) throw new Error('A run has no squares.');
    return since(begun);
  }),
  ask('study.analysis', { studyId: id }).then((analysis) => {
    if (analysis.rows.length === 0) throw new Error('The table is empty.');
    return since(begun);
  }),
]);
const tablePeakMb = peakMb();
const tableDelayMs = delays.max / 1e6;

const run = study.study.runs.at(-1);
const problemId = run?.problemIds.at(-1);
if (run === undefined || problemId === undefined) throw new Error('The study has no run.');
const treeStart = performance.now();
const events = await call('run.events', { runId: run.id }, 'window');
if (!events.ok) throw new Error(events.error.message);
foldRun(null, events.value as Parameters<typeof foldRun>[1]);
const treeMs = since(treeStart);
const nodeStart = performance.now();
await ask('node.read', { runId: run.id, problemId, part: 'search', index: 0 });
const nodeMs = since(nodeStart);
// Flipping through all runs, as somebody who looks for a tree does: the shelf keeps a dozen of them open.
for (const { id: runId } of study.study.runs) await call('run.events', { runId }, 'window');
delays.disable();
await workbench.close();
process.stdout.write(
  `${JSON.stringify({ openMs, listMs, squaresMs, tableMs, treeMs, nodeMs, tablePeakMb, peakMb: peakMb(), tableDelayMs, delayMs: { p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 } })}\n`,
);
