import { describe, expect, test } from 'vitest';
import {
  expectation,
  type Known,
  memoryPicture,
} from '../../../../../main/trainings/logic/model-plan/expectation';
import { readModelShape } from '../../../../../main/trainings/logic/model-plan/model-shape';
import { type MemoryStack, type PlanMemory, planMemorySchema } from '../../../../../preload/contract';
import { qwen2, smol, training, twoAgents } from '../../../../support/model-shapes';

const known: Known = {
  device: 'gpu',
  cores: null,
  deviceBytes: 80e9,
  shapes: [readModelShape(JSON.stringify(smol)), readModelShape(JSON.stringify(qwen2))],
  problems: 40,
  rate: null,
  speed: null,
  gains: { passOne: null, search: null },
};
const writer = { engine: 'vllm', memoryShare: 0.45 };
const sum = (stack: MemoryStack) => stack.reduce((total, { bytes }) => total + (bytes ?? 0), 0);
const partsOf = (stack: MemoryStack | undefined) => stack?.map(({ part }) => part);

function pictureOf(change: Record<string, unknown>, of: Partial<Known> = {}) {
  const spec = training({ agents: twoAgents, ...change });
  const picture = memoryPicture(spec, { ...known, ...of });
  if (picture === undefined) throw new Error('No picture');
  return { picture: planMemorySchema.parse(picture), lines: expectation(spec, { ...known, ...of }) };
}

/** What the sentence says of these agents: the largest on GPUs, all together on a machine. */
function shownBytes({ device, agents }: PlanMemory): number {
  const peaks = agents.map(({ writing, learning }) => Math.max(sum(writing), sum(learning)));
  return device === 'gpu' ? Math.max(...peaks) : peaks.reduce((total, peak) => total + peak, 0);
}

describe('the picture of the memory in a plan', () => {
  const changes = [
    {},
    { lora: null },
    { lora: null, dtype: 'bfloat16', processes: 4 },
    { batch: 2, treesPerRound: 64 },
  ];
  const machines = [{}, { deviceBytes: null }, { device: 'processor', deviceBytes: 64e9 }] as const;
  test.each(changes.flatMap((change) => [change, { ...change, writer }]))(
    'the larger stack is the total, and what the sentence says: %j',
    (change) => {
      for (const machine of machines) {
        const { picture, lines } = pictureOf(change, machine);
        for (const { writing, learning, total } of picture.agents)
          expect(Math.max(sum(writing), sum(learning)) / total).toBeCloseTo(1, 12);
        const said = Number(/^Memory: about ([\d.]+) GB/.exec(lines[1] ?? '')?.[1]);
        expect(Math.abs(shownBytes(picture) / 1e9 - said)).toBeLessThanOrEqual(said < 100 ? 0.051 : 0.51);
      }
    },
  );

  test('without an engine keys and values take turns with a pass', () => {
    const { writing, learning } = pictureOf({}).picture.agents[0] ?? {};
    const kept = ['weights', 'gradients', 'optimiser', 'base'];
    expect(partsOf(writing)).toEqual([...kept, 'keysAndValues']);
    expect(partsOf(learning)).toEqual([...kept, 'activations', 'logits', 'fragments']);
  });

  test('an engine sleeps on a GPU while the learner learns, and is always there on processors', () => {
    const gpu = pictureOf({ writer }).picture.agents[0];
    expect(gpu?.writing.at(-1)).toEqual({ part: 'engine', bytes: 36e9 });
    expect(partsOf(gpu?.learning)).not.toContain('engine');
    const processor = pictureOf({ writer }, { device: 'processor' }).picture.agents[0];
    expect(partsOf(processor?.writing)?.at(-1)).toBe('engine');
    expect(partsOf(processor?.learning)?.at(-1)).toBe('engine');
    const unknown = pictureOf({ writer }, { deviceBytes: null });
    expect(unknown.picture.agents[0]?.writing.at(-1)).toEqual({ part: 'engine', bytes: null });
    expect(unknown.lines[2]).not.toContain('engine that writes');
  });

  test('there is none of a machine that was not asked, and agents whose model is unknown are left out', () => {
    expect(memoryPicture(training({ agents: twoAgents }), { ...known, shapes: null })).toBeUndefined();
    const [small] = known.shapes ?? [];
    if (small === undefined) throw new Error('No shape');
    const shapes = [{ kind: 'unknown', why: 'is not there' } as const, small];
    expect(pictureOf({}, { shapes }).picture.agents.map(({ id }) => id)).toEqual(['two']);
  });
});
