import { appendFile, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { JobService, JobSpec } from '../../../main/jobs';
import { idleGpus } from '../../../main/jobs/logic/gpu-sampler';
import { GPU_PIECE_BYTES } from '../../../main/jobs/logic/gpu-samples';
import { eventually } from '../../support/eventually';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { type JobBench, openJobBench, openJobsOver } from '../../support/job-bench';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { hasSshd, startSshd } from '../../support/sshd';
import { type ToolBench, toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

let bench: JobBench;
let tools: ToolBench;
beforeEach(async () => {
  bench = await openJobBench();
  tools = await toolBench();
});
afterEach(() => bench.dispose());

/** Real jobs that find the stand-ins and sample twenty times a second. */
const gpuSpec = (line: string, gpus: string, change: Partial<JobSpec> = {}): JobSpec => ({
  machineId: 'local',
  name: 'a job',
  purpose: 'command',
  command: { kind: 'line', line },
  env: {
    PATH: `${tools.tools}:${process.env.PATH}`,
    CUDA_VISIBLE_DEVICES: gpus,
    MARS2_GPU_PAUSE: '0.05',
  },
  ...change,
});

const cards = (use: string) => [
  healthyCard(0, { 'utilization.gpu': '3' }),
  healthyCard(1, { 'utilization.gpu': use, 'memory.used': '71234', 'power.draw': '[N/A]' }),
];

const sampled = (jobs: JobService, id: string, least: number) =>
  eventually(`${least} samples`, async () => {
    const curves = await unwrap(jobs.gpus(id, 500));
    return (curves.gpus[0]?.use.length ?? 0) >= least ? curves : null;
  });

const viewOf = async (id: string) => {
  await bench.jobs.inspect(id);
  return unwrap(bench.jobs.view(id));
};

/** No process has its working folder in the job's: neither the command nor what samples. */
const isGone = async (id: string): Promise<boolean> => {
  const folder = join(bench.folder, 'jobs', id);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return !folders.includes(folder);
};

/** The process group of a running job. */
const runningGroup = (id: string) =>
  eventually('the job to run', async () => {
    const { state } = await viewOf(id);
    return state.kind === 'running' ? state.pid : null;
  });

describe('samples of the GPUs of a job', () => {
  test('are of its own GPUs alone, and end with it, without a word in its log', async () => {
    await nvidiaStandIn(tools, cards('97'));
    const { id } = await unwrap(
      bench.jobs.launch(gpuSpec('echo hello; while [ ! -e go ]; do sleep 0.05; done', '1')),
    );
    await sampled(bench.jobs, id, 1);
    const folder = join(bench.folder, 'jobs', id);
    await writeFile(join(folder, 'go'), '');
    await eventually('its end', async () => ((await viewOf(id)).state.kind === 'exited' ? true : null));
    await eventually('all of its processes to be gone', () => isGone(id));
    const [gpu, ...others] = (await unwrap(bench.jobs.gpus(id, 500))).gpus;
    expect(others).toEqual([]);
    expect(gpu).toMatchObject({ gpu: 1, memoryTotalMib: 81_920 });
    expect([gpu?.use[0], gpu?.memoryMib[0], gpu?.powerW[0], gpu?.temperatureC[0]]).toEqual([
      97,
      71_234,
      null,
      31,
    ]);
    expect(await readFile(join(folder, 'output.log'), 'utf8')).toBe('hello\n');
  });

  test('end when the whole job is killed, and are none without nvidia-smi or GPUs', async () => {
    await nvidiaStandIn(tools, cards('97'));
    const { id } = await unwrap(bench.jobs.launch(gpuSpec('sleep 100', 'GPU-1111')));
    const group = await runningGroup(id);
    await sampled(bench.jobs, id, 1);
    process.kill(-group, 'SIGKILL');
    await eventually('all of its processes to be gone', () => isGone(id));
    const none = await unwrap(bench.jobs.launch(gpuSpec('true', '')));
    await eventually('its end', async () => ((await viewOf(none.id)).state.kind === 'exited' ? true : null));
    expect(await unwrap(bench.jobs.gpus(none.id, 500))).toEqual({ fromMs: null, gpus: [] });
  });

  test('do not hold a job whose nvidia-smi hangs', async () => {
    // Older ones of `timeout` lose a child whose number they have not noted yet when they are ended: it sleeps after that.
    const noted = 'until grep -q "^State:.S" "/proc/$PPID/status"; do sleep 0.05; done';
    await tools.standIn(
      'nvidia-smi',
      `case $* in *utilization*) ${noted}; : >"${tools.tools}/asked"; exec sleep 1000 ;; esac`,
    );
    const line = `while [ ! -e "${tools.tools}/asked" ]; do sleep 0.05; done; exit 7`;
    const { id } = await unwrap(bench.jobs.launch(gpuSpec(line, '0')));
    const { state } = await eventually('its end', async () => {
      const view = await viewOf(id);
      return view.state.kind === 'exited' ? view : null;
    });
    expect(state).toMatchObject({ code: 7 });
    await eventually('all of its processes to be gone', () => isGone(id));
  });

  test('are read past anything that the job wrote among them, and only from a plain file', async () => {
    const { id } = await unwrap(bench.jobs.launch(gpuSpec('sleep 100', '')));
    const file = join(bench.folder, 'jobs', id, 'gpu.csv');
    const uses = async () => (await unwrap(bench.jobs.gpus(id, 500))).gpus.map(({ use }) => use);
    await writeFile(
      file,
      `1764309000,0,50,1,2,3.5,4
1764309010,0,NaN,1,2,3,4
1764309010,0,1e309,1,2,3,4
1764309010,0,101,1,2,3,4
1764309010,0,-1,1,2,3,4
\u001b[2J1764309010,0,60,1,2,3,4
${'9'.repeat(2 * GPU_PIECE_BYTES)}
${'é'.repeat(300)}
1764309020,0,70,1,2,,
1764309030,0,8`,
    );
    expect(await uses()).toEqual([[50, 70]]);
    await appendFile(file, '0,1,2,3,4\n');
    expect(await uses()).toEqual([[50, 70, 80]]);
    await writeFile(file, '1764309040,0,9,1,2,3,4\n');
    expect(await uses()).toEqual([[9]]);
    const secret = join(bench.folder, 'elsewhere');
    await writeFile(secret, '1764309000,5,50,1,2,3,4\n');
    await rm(file);
    await symlink(secret, file);
    expect(await uses()).toEqual([]);
  });

  test('tell of idle GPUs, until they work again', async () => {
    // Ten minutes pass in some samples: the clock of the samples begins 20 minutes ago and hurries to now.
    const behind = join(tools.tools, 'behind');
    await writeFile(behind, '1200\n');
    await tools.standIn(
      'date',
      `[ "$1" = +%s ] || exec /bin/date "$@"
read -r left <"${behind}"
[ "$left" -le 0 ] || echo "$((left - 60))" >"${behind}"
echo "$(($(/bin/date +%s) - left))"`,
    );
    await nvidiaStandIn(tools, cards('4'));
    const { id } = await unwrap(bench.jobs.launch(gpuSpec('sleep 100', '0,1')));
    const idle = await eventually('the alarm', async () => {
      const view = await viewOf(id);
      return view.idleGpus === undefined ? null : view;
    });
    expect(idle.idleGpus).toEqual([0, 1]);
    expect(idle.timeline.at(-1)?.why).toContain('GPUs 0 and 1 were idle for 10 minutes');
    await nvidiaStandIn(tools, cards('90'));
    const after = await eventually('its end for the GPU that works', async () => {
      const view = await viewOf(id);
      return view.idleGpus?.length === 1 ? view : null;
    });
    expect(after.idleGpus).toEqual([0]);
  });

  test.runIf(hasSshd)('come from a machine behind ssh', async () => {
    await nvidiaStandIn(tools, cards('97'));
    const sshd = await startSshd();
    onTestFinished(() => sshd.stop());
    const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const jobs = await openJobsOver(fleet, await temporaryFolder());
    const { id } = await unwrap(jobs.launch(gpuSpec('sleep 100', '1', { machineId: 'lab' })));
    const curves = await sampled(jobs, id, 1);
    expect(curves.gpus).toMatchObject([{ gpu: 1, memoryTotalMib: 81_920 }]);
    await unwrap(jobs.stop(id, 1_000));
    await jobs.dispose();
    await fleet.dispose();
  });
});

describe('the averages beside the samples', () => {
  test.each([
    ['too short', '1000 0:0.0:500', []],
    ['long enough', '1000 2:4.9:520 0:0.0:600 1:5.0:600', [0, 2]],
    ['stale', '600 0:0.0:600', []],
    ['no numbers', '1000 0:NaN:600 x:0.0:600 0:-1.0:600 0:0.0:1e9', []],
    ['nothing', '', []],
  ])('%s', (_, line, gpus) => {
    expect(idleGpus(line, 1_000)).toEqual(gpus);
  });
});
