import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Machine } from '../../../../main/machines';
import { type MachineSpec, slurmDefaultsSchema } from '../../../../preload/contract';
import { findingOf } from '../../../support/doctor-check';
import { openSlurm, type SlurmBench, whySlurmIsMissing } from '../../../support/slurm';
import { toolBench } from '../../../support/stand-in-tools';

const missing = whySlurmIsMissing();

const clusterOf = (defaults: Readonly<Record<string, unknown>> = {}): MachineSpec => ({
  kind: 'slurm',
  id: 'cluster',
  name: 'cluster',
  host: null,
  defaults: slurmDefaultsSchema.parse(defaults),
});

describe.skipIf(missing !== null)(`a real Slurm${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let slurm: SlurmBench;
  beforeAll(async () => {
    slurm = await openSlurm();
  });
  afterAll(() => slurm?.dispose());

  const machineWith = async (defaults: Readonly<Record<string, unknown>> = {}): Promise<Machine> => {
    const { machine } = await toolBench({ spec: clusterOf(defaults) });
    return {
      ...machine,
      run: (script, options) =>
        machine.run(`SLURM_CONF='${slurm.conf}'; export SLURM_CONF\n${script}`, options),
    };
  };

  test('that answers is good, and its partitions with GPUs are named', async () => {
    const finding = await findingOf(await machineWith(), 'slurm');
    expect(finding).toMatchObject({
      state: 'good',
      found: expect.stringMatching(/answers; partitions .*GPUs in /),
    });
  });

  test('a job as the machine asks would be taken', async () => {
    const finding = await findingOf(await machineWith({ minutes: 5 }), 'slurm-defaults');
    expect(finding).toMatchObject({ state: 'good', found: expect.stringContaining('would accept') });
  });

  test('an absent partition is refused, with the message of Slurm', async () => {
    const finding = await findingOf(await machineWith({ partition: 'nowhere' }), 'slurm-defaults');
    expect(finding).toMatchObject({
      state: 'bad',
      found: expect.stringMatching(/--partition=nowhere .*invalid partition/i),
    });
  });

  test('an unknown option is refused', async () => {
    const finding = await findingOf(await machineWith({ options: '--no-such-thing' }), 'slurm-defaults');
    expect(finding).toMatchObject({ state: 'bad' });
  });

  test('without accounting is not a problem', async () => {
    const finding = await findingOf(await machineWith(), 'slurm-accounting');
    expect(finding).toMatchObject({ state: 'good', found: expect.stringMatching(/^Off/) });
  });
});

test('a machine without Slurm’s programs is bad, and the login node is named', async () => {
  const { machine } = await toolBench({
    spec: clusterOf(),
    without: ['sbatch', 'squeue', 'scancel', 'scontrol', 'sinfo'],
  });
  expect(await findingOf(machine, 'slurm')).toMatchObject({
    state: 'bad',
    found: expect.stringContaining('sbatch'),
    todo: expect.stringContaining('login node'),
  });
});

test('a controller that does not answer is bad, with its words', async () => {
  const bench = await toolBench({ spec: clusterOf() });
  for (const tool of ['sbatch', 'squeue', 'scancel', 'scontrol', 'sinfo']) {
    await bench.standIn(
      tool,
      'echo "slurm_load_partitions: Unable to contact slurm controller (connect failure)" >&2; exit 1',
    );
  }
  expect(await findingOf(bench.machine, 'slurm')).toMatchObject({
    state: 'bad',
    found: expect.stringContaining('Unable to contact slurm controller'),
  });
});
