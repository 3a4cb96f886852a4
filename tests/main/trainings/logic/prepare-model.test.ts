import { expect, test } from 'vitest';
import { prepareModel } from '../../../../main/trainings/logic/prepare-model';
import { type ModelTraining, trainingRequestSchema } from '../../../../preload/contract';
import { training } from '../../../support/model-shapes';

const program = { node: 'node', script: '/p/trainer.mjs', resources: '/p' } as unknown as Parameters<
  typeof prepareModel
>[2];

/** Notes and problems of the plan of a training with these fields. */
function planned(change: Record<string, unknown>) {
  const spec: ModelTraining = training(change);
  const request = trainingRequestSchema.parse({ name: 't', machineId: 'local', spec });
  return prepareModel(request, spec, program, []);
}

const vllm = (publish: string) => ({ engine: 'vllm', publish });

test('the plan says when a training that is stopped early would leave no checkpoint', () => {
  const notes = (change: Record<string, unknown>) => planned(change).notes.join('\n');
  expect(notes({ updates: 6, checkpointEvery: 10 })).toContain('nothing can be served or searched with');
  expect(notes({ updates: 60, checkpointEvery: 10 })).not.toContain('The only checkpoint');
});

test('learners of several processes need an engine that writes', () => {
  expect(planned({ processes: 2 }).problems).toEqual([
    expect.stringMatching(/Choose an engine.*--writer vllm/),
  ]);
  expect(planned({ processes: 2, writer: vllm('adapter') }).problems).toEqual([]);
});

test.each([
  [{ writer: vllm('adapter'), lora: null }, /no adapter to publish/],
  [{ writer: vllm('reload') }, /reload reads all weights/],
  [{ writer: { engine: 'sglang', publish: 'restart' } }, /by vLLM only/],
  [{ writer: vllm('adapter'), lora: { rank: 1_024, alpha: 1 } }, /up to rank 512/],
  [{ writer: vllm('adapter'), agents: [{ id: 'a', model: '/m/x.GGUF' }] }, /a: an engine cannot take over/],
])('what cannot be published is refused: %o', (change, reason) => {
  expect(planned(change).problems).toEqual([expect.stringMatching(reason)]);
});

test('the plan says who writes, how weights are published, and what nobody has tried', () => {
  expect(planned({}).notes[0]).toMatch(/which also writes? the answers/);
  const notes = planned({ writer: { engine: 'sglang', publish: 'reload' }, lora: null }).notes.join('\n');
  expect(notes).toMatch(/SGLang writes the answers.*reads each round’s weights.*nobody has run it yet/s);
  expect(planned({ writer: vllm('restart') }).notes.join('\n')).toMatch(
    /started anew on each round’s weights/,
  );
});
