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
