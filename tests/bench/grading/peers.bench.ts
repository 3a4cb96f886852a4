// The same samples through a published grader and through ours, in one run, with the same number of workers.
//
// The published graders are not in this repository:
//   git clone https://github.com/openai/human-eval DIR1
//   git clone https://github.com/LiveCodeBench/LiveCodeBench DIR2     (needs numpy; shims/ stands in for tqdm)
//   HUMAN_EVAL=DIR1 LIVECODEBENCH=DIR2 npx vitest run --config tests/bench/grading/bench.config.ts peers
//     WORKERS  of either grader, 2 when left out      EVERY  only each so many-th sample
//     ROUNDS   3 when left out: the two take turns, so that what else the computer does meets both
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Grader } from '../../../main/grading';
import type { Verdict } from '../../../preload/contract';
import { descendants } from '../../main/grading/process-table';
import { LIMITS, openGrader } from '../../main/grading/sandbox';
import { appsSamples, humanEvalSamples, type PeerSample, pocketSamples } from './peer-samples';

const WORKERS = Number(process.env.WORKERS ?? 2);
const EVERY = Number(process.env.EVERY ?? 1);
const ROUNDS = Number(process.env.ROUNDS ?? 3);

const SECONDS = { 'human-eval': 3, livecodebench: 6 } as const;
type Peer = keyof typeof SECONDS;
type Run = z.infer<typeof runSchema>;
const runSchema = z.object({
  seconds: z.number(),
  /** Of all processes: what a busy computer changes less than the time by the clock. */
  cpuSeconds: z.number(),
  verdicts: z.array(z.string()),
});

function runPeer(peer: Peer, checkout: string, samples: readonly PeerSample[]): Promise<Run> {
  const script = join(import.meta.dirname, 'peers.py');
  const child = spawn('python3', [script, peer, checkout, String(WORKERS)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(samples.map((sample) => sample.forPeer)));
  let [said, complained] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained = (complained + text).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    child.on('close', () => {
      if (said === '') reject(new Error(complained));
      else resolve(runSchema.parse(JSON.parse(said)));
    });
  });
}

async function runOurs(
  grader: Grader,
  peer: Peer,
  samples: readonly PeerSample[],
  withMemory: boolean,
): Promise<Run> {
  const cpuSeconds = SECONDS[peer];
  const limits = { ...LIMITS, cpuSeconds, wallSeconds: 2 * cpuSeconds, memoryBytes: 4 * 1024 ** 3 };
  const [started, cpuBefore] = [performance.now(), cpuOfAll()];
  const grades = await Promise.all(
    samples.map(({ program, entryPoint, tests }) =>
      grader.grade({ program, entryPoint, tests, limits, stopAtFirstFailure: true, fresh: !withMemory }),
    ),
  );
  const seconds = (performance.now() - started) / 1_000;
  const verdicts = grades.map((grade) => (grade.ok ? short(grade.value.verdict) : 'none'));
  return { seconds, cpuSeconds: cpuOfAll() - cpuBefore, verdicts };
}

const TICKS_PER_SECOND = 100;

/** CPU seconds of this process and of those below it, the ended ones that they have reaped included. */
function cpuOfAll(): number {
  const own = process.cpuUsage();
  const ticks = descendants().map(({ pid }) => {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      return 0; // it has ended meanwhile
    }
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return (own.user + own.system) / 1e6 + ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

function short(verdict: Verdict): string {
  if (verdict === 'passed' || verdict === 'sandbox-fault') return verdict;
  return verdict === 'time-limit' ? 'time' : 'failed';
}

/** Throughputs of both and the ratio, medians of the rounds; the first round's verdicts. */
async function compare(peer: Peer, checkout: string, samples: readonly PeerSample[], title: string) {
  const measurements: { theirs: Run; ours: Run; remembered: Run }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await runPeer(peer, checkout, samples);
    // A new grader: warm, but without any memory of the round before.
    const grader = await openGrader(WORKERS);
    await runOurs(grader, peer, samples.slice(0, 2 * WORKERS), false);
    const ours = await runOurs(grader, peer, samples, false);
    await grader.dispose();
    const another = await openGrader(WORKERS);
    await runOurs(another, peer, samples.slice(0, 2 * WORKERS), false);
    const remembered = await runOurs(another, peer, samples, true);
    await another.dispose();
    measurements.push({ theirs, ours, remembered });
  }
  const line = (name: string, of: 'theirs' | 'ours' | 'remembered'): string => {
    const runs = measurements.map((round) => round[of]);
    const rate = median(runs.map((run) => samples.length / run.seconds)).toFixed(1);
    const cpu = median(runs.map((run) => (run.cpuSeconds * 1_000) / samples.length)).toFixed(2);
    const times = (field: 'seconds' | 'cpuSeconds') =>
      median(measurements.map((round) => round.theirs[field] / round[of][field])).toFixed(1);
    const ratio =
      of === 'theirs'
        ? ''
        : `; ${times('seconds')} times the throughput, 1/${times('cpuSeconds')} of the CPU`;
    return `  ${name.padEnd(27)} ${rate} samples/s, ${cpu} ms of CPU each${ratio}`;
  };
  console.log(
    [
      `${title}: ${samples.length} samples, ${WORKERS} workers, medians of ${ROUNDS} rounds`,
      line('theirs', 'theirs'),
      line('ours, every one run', 'ours'),
      line('ours, equal ones run once', 'remembered'),
    ].join('\n'),
  );
  const [first] = measurements;
  if (first === undefined) throw new Error('No round was run.');
  return { ...first, differences: differencesOf(samples, first.theirs, first.ours) };
}

function differencesOf(samples: readonly PeerSample[], theirs: Run, ours: Run): string[] {
  return samples.flatMap(({ id }, i) =>
    theirs.verdicts[i] === ours.verdicts[i] ? [] : [`  ${id}: ${theirs.verdicts[i]} -> ${ours.verdicts[i]}`],
  );
}

async function report(peer: Peer, checkout: string, title: string, all: readonly PeerSample[]) {
  const samples = all.filter((_, i) => i % EVERY === 0);
  const { theirs, ours, differences } = await compare(peer, checkout, samples, title);
  const quick = samples.filter((_, i) => theirs.verdicts[i] !== 'time' && ours.verdicts[i] !== 'time');
  console.log(
    [`${title}: ${differences.length} verdicts differ (theirs -> ours)`, ...differences].join('\n'),
  );
  if (quick.length < samples.length) {
    await compare(peer, checkout, quick, `${title}, without those that time out`);
  }
  expect(ours.verdicts).not.toContain('sandbox-fault');
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const { HUMAN_EVAL, LIVECODEBENCH } = process.env;

test.skipIf(HUMAN_EVAL === undefined)('against openai/human-eval’s checker', async () => {
  await report('human-eval', HUMAN_EVAL ?? '', 'human-eval', humanEvalSamples());
});

test.skipIf(LIVECODEBENCH === undefined)('against LiveCodeBench’s grader on APPS', async () => {
  await report('livecodebench', LIVECODEBENCH ?? '', 'LiveCodeBench, APPS', appsSamples());
});

test.skipIf(LIVECODEBENCH === undefined)('against LiveCodeBench’s grader on pocket problems', async () => {
  await report('livecodebench', LIVECODEBENCH ?? '', 'LiveCodeBench, pocket', pocketSamples(120));
});
