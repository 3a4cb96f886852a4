import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shellWord } from '../../../main/base';
import type { JobService, JobSpec } from '../../../main/jobs';
import { jobSpecSchema } from '../../../main/jobs/logic/job-spec';
import { readProvenance } from '../../../main/jobs/logic/provenance/read-provenance';
import { targetsOf } from '../../../main/jobs/logic/provenance/targets';
import { MAX_DIFF_BYTES, type Provenance } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { toolBench } from '../../support/stand-in-tools';
import { unwrap } from '../../support/unwrap';

const run = promisify(execFile);
const KEY = 'hf_AbCdEfGhIjKlMnOpQrStUv';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let bench: JobBench;
beforeEach(async () => {
  bench = await openJobBench();
});
afterEach(() => bench.dispose());

const lineSpec = (line: string, change: Partial<JobSpec> = {}): JobSpec => ({
  machineId: 'local',
  name: 'a job',
  purpose: 'command',
  command: { kind: 'line', line },
  ...change,
});

const recordOf = (id: string, jobs: JobService = bench.jobs): Promise<Provenance> =>
  eventually('the record of its start', async () => unwrap(jobs.provenance(id)));

/** A repository with one commit, changed since, with keys in it. */
async function checkout(): Promise<{ readonly folder: string; readonly commit: string }> {
  const folder = join(bench.folder, 'code');
  await mkdir(folder);
  const git = (...args: string[]) =>
    run('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  await git('init', '-q', '-b', 'main');
  await git('remote', 'add', 'origin', 'https://someone:hunter2hunter2@git.example.org/lab/code.git');
  await writeFile(join(folder, 'train.py'), 'print("trains")\n');
  await writeFile(join(folder, '.env'), 'A=1\n');
  await git('add', '.');
  await git('commit', '-q', '-m', 'first');
  await writeFile(
    join(folder, 'train.py'),
    `print("trains longer")\nlogin("${KEY}")\napi_key = "my own password"\n`,
  );
  await writeFile(join(folder, '.env'), 'PLAIN=very-private-thing\n');
  await writeFile(join(folder, 'new.py'), 'import train\n');
  await writeFile(join(folder, 'data.bin'), 'x'.repeat(100));
  return { folder, commit: (await git('rev-parse', 'HEAD')).stdout.trim() };
}

describe('the record of what made a start', () => {
  test('has code, packages, GPUs and weights, and no secret, in the job and on disk', async () => {
    const { folder, commit } = await checkout();
    const tools = await toolBench();
    await nvidiaStandIn(tools, [healthyCard(0), healthyCard(1, { name: 'NVIDIA H100 80GB HBM3' })]);
    const hub = join(bench.folder, 'hub', 'models--lab--small');
    const snapshot = join(hub, 'snapshots', 'c'.repeat(40));
    await mkdir(snapshot, { recursive: true });
    await mkdir(join(hub, 'blobs'));
    await mkdir(join(hub, 'refs'));
    await writeFile(join(hub, 'refs', 'main'), 'c'.repeat(40));
    await writeFile(join(hub, 'blobs', 'd'.repeat(64)), 'weights');
    await symlink(`../../blobs/${'d'.repeat(64)}`, join(snapshot, 'model.safetensors'));
    await writeFile(join(snapshot, 'config.json'), '{}');
    const { id } = await unwrap(
      bench.jobs.launch(
        lineSpec('python3 train.py --model lab/small || true', {
          cwd: folder,
          env: {
            PATH: `${tools.tools}:${process.env.PATH}`,
            HF_HUB_CACHE: join(bench.folder, 'hub'),
            CUDA_VISIBLE_DEVICES: '1',
          },
        }),
      ),
    );
    const record = await recordOf(id);
    expect(record).toMatchObject({
      attempt: 1,
      workbench: 'unknown',
      code: {
        folder,
        commit,
        branch: 'main',
        remote: 'https://git.example.org/lab/code.git',
        isCut: false,
        untracked: ['data.bin', 'new.py'],
        leftOut: ['.env'],
      },
      gpu: { driver: '550.54.15', cuda: '12.4', names: ['NVIDIA H100 80GB HBM3'] },
    });
    expect(record.problems.filter((sentence) => !sentence.includes('Docker'))).toEqual([]);
    expect(record.code?.diff).toContain('+print("trains longer")');
    expect(record.code?.diff).toContain('+import train');
    expect(record.python?.version).toMatch(/^3\.\d+\.\d+/);
    expect(record.weights).toEqual([
      {
        name: 'lab/small',
        path: snapshot,
        revision: 'c'.repeat(40),
        files: [
          { name: 'config.json', bytes: 2, changedAt: expect.stringMatching(/Z$/), digest: sha256('{}') },
          { name: 'model.safetensors', bytes: 7, changedAt: expect.any(String), digest: 'd'.repeat(64) },
        ],
      },
    ]);
    const stored = await readFile(join(bench.folder, 'jobs', id, 'attempt-1', 'provenance.txt'), 'utf8');
    for (const text of [stored, JSON.stringify(record)]) {
      for (const secret of [KEY, 'hunter2', 'my own password', 'very-private'])
        expect(text).not.toContain(secret);
    }
  });

  test('finds the Python of the environment that the set-up entered', async () => {
    const python = join(bench.folder, 'env', 'bin', 'python');
    await mkdir(join(bench.folder, 'env', 'bin'), { recursive: true });
    await writeFile(python, `#!/bin/sh\nexec python3 "$@"\n`, { mode: 0o755 });
    // As pip writes it where the path is long or has a blank.
    const launcher = `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''\nprint("served")\n`;
    await writeFile(join(bench.folder, 'env', 'bin', 'serve-it'), launcher, { mode: 0o755 });
    const site = join(bench.folder, 'site', 'ourlib-1.2.dist-info');
    await mkdir(site, { recursive: true });
    await writeFile(join(site, 'METADATA'), 'Metadata-Version: 2.1\nName: ourlib\nVersion: 1.2\n');
    const origin = {
      url: `https://x:${KEY}@git.example.org/ourlib`,
      vcs_info: { vcs: 'git', commit_id: 'e'.repeat(40) },
    };
    await writeFile(join(site, 'direct_url.json'), JSON.stringify(origin));
    const setUp = `here=${shellWord(bench.folder)}; PATH=$here/env/bin:$PATH; export PATH PYTHONPATH="$here/site"`;
    const { id } = await unwrap(bench.jobs.launch(lineSpec('serve-it --port 1', { setUp })));
    const record = await recordOf(id);
    const [ours] = record.python?.packages.filter((line) => line.startsWith('ourlib')) ?? [];
    expect(ours).toMatch(
      new RegExp(`^ourlib==1\\.2 @ https://.*@git\\.example\\.org/ourlib@${'e'.repeat(40)}$`),
    );
    expect(ours).not.toContain(KEY);
  });

  test('lists the packages of a container whose image is a file', async () => {
    const tools = await toolBench();
    const image = join(bench.folder, 'lab.sif');
    await writeFile(image, '');
    // Runs what it is given on this computer; only the Python of the image has these packages.
    await tools.standIn(
      'apptainer',
      `[ "$1" = exec ] || exit 9
shift
[ "$1" != --nv ] || shift
[ "$1" = "${image}" ] || [ "$1" = lab.sif ] || exit 8
shift
PYTHONPATH=${shellWord(join(bench.folder, 'site'))} exec "$@"`,
    );
    const site = join(bench.folder, 'site', 'inside-3.4.dist-info');
    await mkdir(site, { recursive: true });
    await writeFile(join(site, 'METADATA'), 'Metadata-Version: 2.1\nName: inside\nVersion: 3.4\n');
    const env = { PATH: `${tools.tools}:${process.env.PATH}` };
    const { id } = await unwrap(
      bench.jobs.launch(
        lineSpec('apptainer exec --nv lab.sif python3 -c "print(1)"', { cwd: bench.folder, env }),
      ),
    );
    const record = await recordOf(id);
    expect(record.python?.packages).toContain('inside==3.4');
    expect(record.problems.join()).not.toContain('container, whose packages');
    const other = await unwrap(bench.jobs.launch(lineSpec('docker run lab python3 t.py', { env })));
    expect((await recordOf(other.id)).problems.join()).toContain('container, whose packages were not read');
  });

  test('a diff beyond the limit is cut at a line, and that is said', async () => {
    const { folder } = await checkout();
    const line = 'x = "a line of a large change"\n';
    await writeFile(join(folder, 'train.py'), line.repeat((2 * MAX_DIFF_BYTES) / line.length));
    const { id } = await unwrap(bench.jobs.launch(lineSpec('true', { cwd: folder })));
    const { code } = await recordOf(id);
    expect(code?.isCut).toBe(true);
    expect(code?.diff.endsWith(`+${line}`)).toBe(true);
    expect(code?.diff.length).toBeLessThanOrEqual(MAX_DIFF_BYTES);
    expect(code?.diffBytes).toBeGreaterThan(2 * MAX_DIFF_BYTES);
    expect(code?.diffDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('whatever a machine writes is cut to its limits, or is no record', () => {
    const lines = ['package '.concat('p'.repeat(5_000)), 'executable /p', 'version 3'].map(
      (line) => `|${line}`,
    );
    const text = `@ host 0\n|workbench 1\u001b[2J\n@ packages 0\n${lines.join('\n')}\n`;
    expect(readProvenance(text, 1)).toBeNull();
    const record = readProvenance(`${text}\n@ end 0\n`, 1);
    expect(record?.workbench).toBe('1 [2J');
    expect(record?.python?.packages[0]).toHaveLength(1_000);
    expect(readProvenance(`@ host 0\n|workbench ${'w'.repeat(100)}\n@ end 0\n`, 1)).toBeNull();
  });
});

describe('what a command names', () => {
  const of = (line: string) => targetsOf(jobSpecSchema.parse(lineSpec(line)));

  test('is its programs, folders and weights, behind variables and programs that run others', () => {
    const line =
      'cd "/data/my code" && FOO=1 exec nohup torchrun scripts/x/train.py --model-path=/w/a --lr 1';
    expect(of(line)).toMatchObject({
      folders: ['/data/my code', 'scripts/x'],
      programs: ['cd', 'torchrun'],
      weights: ['/w/a'],
    });
    expect(of('vllm serve Qwen/Qwen3-8B --revision abc --port 1')).toMatchObject({
      programs: ['vllm'],
      weights: ['Qwen/Qwen3-8B'],
      revision: 'abc',
    });
    expect(of('apptainer exec --nv /i/lab.sif python t.py')).toMatchObject({
      images: ['/i/lab.sif'],
      isInContainer: true,
      readable: { runtime: 'apptainer', image: '/i/lab.sif', python: 'python' },
    });
    expect(of('python $SCRIPT --model "$MODEL"')).toMatchObject({
      programs: ['python'],
      weights: [],
      folders: [],
    });
  });
});
