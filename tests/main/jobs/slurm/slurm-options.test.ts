import { expect, test } from 'vitest';
import { slurmRefusal } from '../../../../main/jobs/logic/slurm/refusals';
import { resourceOptions, splitOptions } from '../../../../main/jobs/logic/slurm/sbatch-options';
import { outputPattern, slurmName } from '../../../../main/jobs/logic/slurm/slurm-files';
import {
  type AttemptNotes,
  findInQueue,
  parseAccountingLookup,
} from '../../../../main/jobs/logic/slurm/survey';
import {
  type JobResources,
  jobResourcesSchema,
  type SlurmDefaults,
  slurmDefaultsSchema,
} from '../../../../preload/contract';

const options = (resources: Partial<JobResources>, defaults: Partial<SlurmDefaults> = {}) =>
  resourceOptions(jobResourcesSchema.parse(resources), slurmDefaultsSchema.parse(defaults));

test('a job gets what it asks for, and the defaults of the machine elsewhere', () => {
  expect(options({}, {})).toEqual({ ok: true, value: ['--no-requeue', '--time=1440'] });
  expect(
    options(
      { gpus: 2, minutes: 30, account: 'mine', slurmOptions: '--mem=64G --comment="two words"' },
      { partition: 'gpu', account: 'ours', options: '--qos=long' },
    ),
  ).toEqual({
    ok: true,
    value: [
      '--no-requeue',
      '--time=30',
      '--gres=gpu:2',
      '--partition=gpu',
      '--account=mine',
      '--qos=long',
      '--mem=64G',
      '--comment=two words',
    ],
  });
});

test.each(['--gres=gpu:a100:2', '--gpus=2', '-G2', '--gpus-per-node=2'])(
  'GPUs requested in Slurm options (%s) are not requested twice',
  (own) => {
    expect(options({ gpus: 2, slurmOptions: own })).toEqual({
      ok: true,
      value: ['--no-requeue', '--time=1440', own],
    });
  },
);

test.each([
  '--array=1-3',
  '--arr=1-3',
  '-a1-3',
  '-Ha1-3',
  '-o x',
  '--requeue',
  '-Mother',
  '--wrap=true',
  '--wait',
])('%s belongs to the workbench', (own) => {
  expect(options({ slurmOptions: own })).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});

test.each([
  '--mem 8G',
  '-p gpu',
  '--exclusive',
  '-w node1',
  '--wait-all-nodes=1',
  '--constraint=a100',
  '-N1',
  '',
])('%j belongs to the user', (own) => {
  expect(options({ slurmOptions: own })).toMatchObject({ ok: true });
});

test('options are split as a shell splits them', () => {
  expect(splitOptions(`--a='b c' --d="e 'f'" g\t'h'i`)).toEqual(['--a=b c', "--d=e 'f'", 'g', 'hi']);
});

test('a start is named so that people and squeue can use it', () => {
  expect(slurmName('Träning: run #1, x', 'id-1', 2)).toBe('Tr-ning-run-1-x.id-1.2');
  expect(outputPattern('/a/100%j')).toBe('/a/100%%j');
});

test.each([
  [
    'sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)',
    'unreachable',
  ],
  ['squeue: error: slurm_receive_msg: Socket timed out on send/recv operation', 'unreachable'],
  ['slurm_load_jobs error: Unable to contact slurm controller (connect failure)', 'unreachable'],
  [
    'sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified',
    'unavailable',
  ],
  [
    'sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)',
    'unavailable',
  ],
])('"%s" is %s', (text, code) => {
  const refusal = slurmRefusal(text, 'Cluster', 'the job');
  expect(refusal.code).toBe(code);
  expect(refusal.message).not.toContain('sbatch:');
});

test('a refusal over limits is reported with its reason and what to do', () => {
  const message =
    "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)\n";
  expect(slurmRefusal(message, 'Cluster', 'the job')).toEqual({
    code: 'unavailable',
    message:
      "Slurm on Cluster refused the job: QOSMaxSubmitJobPerUserLimit; Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits).",
    hint: 'You are at a limit of the cluster: wait for other jobs to end, or request less.',
  });
});

test('a start is found by what began it, by its number, by its name, by its place in an array', () => {
  const notes: AttemptNotes = { wasSubmitted: true, reference: null, claim: null, array: null };
  const queue = [
    { id: '5', name: 'n' },
    { id: '7_0', name: 'a' },
    { id: '7_10', name: 'a' },
  ].map((one) => ({
    ...one,
    state: 'RUNNING',
    reason: 'None',
    node: null,
    endedAtS: null,
    limitMinutes: null,
  }));
  const found = (change: Partial<AttemptNotes>, reference: string | null = null) =>
    findInQueue({ name: 'n', reference, notes: { ...notes, ...change } }, queue).reference;
  expect(found({ claim: '9', reference: '8' }, '5')).toBe('9');
  expect(found({ reference: '8' })).toBe('8');
  expect(found({}, '6')).toBe('6');
  expect(found({})).toBe('5');
  expect(found({ array: { name: 'a', index: 0, folder: '/x' } })).toBe('7_0');
  expect(found({ array: { name: 'a', index: 1, folder: '/x' } })).toBe(null);
  expect(found({ wasSubmitted: false })).toBe(null);
  expect(parseAccountingLookup('7_0\n7_10\n', 10)).toBe('7_10');
  expect(parseAccountingLookup('7_0\n', null)).toBe(null);
});
