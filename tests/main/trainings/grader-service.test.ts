import { expect, test } from 'vitest';
import { type OwnProgram, startOf } from '../../../main/trainings/logic/own-program';
import { prepareTraining, type TrainerDeps } from '../../../main/trainings/prepare-training';
import { trainingRequestSchema } from '../../../preload/contract';

const PROGRAM: OwnProgram = {
  ...{ node: 'node', setUp: '', env: {}, script: 'trainer.js', resourcesDir: 'resources' },
  ...{ checkpointsDir: 'checkpoints', folder: '/out', allowsUnsandboxed: false },
};
const grader = { address: 'http://grader:8765', tokenFile: "~/my token's" };

test('the trainer is told the address of a grader service and the file of its token, never the token', () => {
  const command = startOf({ machineId: 'gpu-a', grader }, PROGRAM).commandLine;
  expect(command).toContain(` --grader http://grader:8765 --grader-token-file "$HOME"/'my token'\\''s'`);
  const { tokenFile: _, ...inVariable } = grader;
  expect(startOf({ machineId: 'local', grader: inVariable }, PROGRAM).commandLine).not.toContain('token');
});

test('a training by another trainer refuses a grader service, which it would not use', () => {
  const spec = { kind: 'recipe', recipeId: 'verl-grpo' };
  const request = trainingRequestSchema.parse({ name: 'x', machineId: 'local', spec, grader });
  const instance = { id: 'x', paths: null, preflight: '', benchmarkProblems: [] };
  const refused = prepareTraining(request, instance, null, {} as TrainerDeps);
  expect(refused).toMatchObject({ ok: false, error: { hint: expect.stringContaining('docs/grading.md') } });
});

test('a token that this computer is known not to have is refused before the start, and nothing is guessed of others', () => {
  const spec = { kind: 'pocket', method: 'heter-mars2', families: ['reader', 'tracer'] };
  const paths = { ...PROGRAM, allowsUnsandboxed: undefined };
  const instance = { id: 'x', paths, preflight: '', benchmarkProblems: [] };
  const isRefused = (change: object, hasToken = false): boolean => {
    const asked = { name: 'x', machineId: 'local', spec, grader: { address: grader.address }, ...change };
    const deps = { hasGraderToken: () => hasToken } as TrainerDeps;
    return !prepareTraining(trainingRequestSchema.parse(asked), instance, null, deps).ok;
  };
  expect(isRefused({})).toBe(true);
  expect(isRefused({}, true)).toBe(false);
  for (const change of [
    { machineId: 'gpu-a' },
    { grader },
    { env: { MARS2_GRADER_TOKEN: 'x' } },
    { setUp: '. ~/lab.sh' },
  ])
    expect(isRefused(change)).toBe(false);
});
