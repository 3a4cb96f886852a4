import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentBuffers, type BufferState } from '../../../main/objective';

const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

function filled(count: number, sizes = { rolloutBatch: 4, trainBatch: 2 }): AgentBuffers<number> {
  const buffers = new AgentBuffers<number>(sizes);
  buffers.add('reader', numbers(0, count));
  return buffers;
}

describe('a buffer of an agent', () => {
  it('gives nothing below the larger of the two batches, and says how many wait', () => {
    const buffers = filled(3);
    expect(buffers.take('reader')).toEqual([]);
    expect(buffers.count('reader')).toBe(3);
    expect(filled(3, { rolloutBatch: 2, trainBatch: 4 }).take('reader')).toEqual([]);
  });

  it('gives the largest multiple of that size, oldest first, and keeps the remainder', () => {
    const buffers = filled(11);
    expect(buffers.take('reader')).toEqual(numbers(0, 8));
    expect(buffers.count('reader')).toBe(3);
    buffers.add('reader', [11]);
    expect(buffers.take('reader')).toEqual([8, 9, 10, 11]);
  });

  it('gives no more updates than requested', () => {
    const buffers = filled(11);
    expect(buffers.take('reader', 0)).toEqual([]);
    expect(buffers.take('reader', 1)).toEqual(numbers(0, 4));
    expect(buffers.count('reader')).toBe(7);
  });

  it('lets a remainder live for two rounds', () => {
    const counts = (steps: number): number => {
      const buffers = filled(6);
      buffers.take('reader');
      for (let round = 0; round < steps; round++) buffers.startRound();
      return buffers.count('reader');
    };
    expect([0, 1, 2, 3].map(counts)).toEqual([2, 2, 2, 0]);
  });

  it('keeps what an agent collects for its next update, however many rounds that takes', () => {
    const buffers = filled(1);
    for (let round = 0; round < 10; round++) buffers.startRound();
    buffers.add('reader', [1, 2, 3]);
    expect(buffers.take('reader')).toEqual([0, 1, 2, 3]);
  });

  it('drops an old remainder alone, not what came after it', () => {
    const buffers = filled(6);
    buffers.take('reader');
    buffers.startRound();
    buffers.startRound();
    buffers.add('reader', [6]);
    buffers.startRound();
    expect(buffers.state()).toEqual({ reader: [{ sample: 6, age: null }] });
  });

  it('does not make a remainder young again when it is left over once more', () => {
    const buffers = filled(11);
    buffers.take('reader', 1);
    buffers.startRound();
    buffers.take('reader', 1);
    expect(buffers.state().reader).toEqual([8, 9, 10].map((sample) => ({ sample, age: 1 })));
  });

  it('of another agent is its own, and of an agent without samples is empty', () => {
    const buffers = filled(5);
    expect(buffers.take('tracer')).toEqual([]);
    expect(buffers.count('tracer')).toBe(0);
    buffers.add('tracer', [100]);
    buffers.add('weak', []);
    expect(buffers.take('weak')).toEqual([]);
    expect(buffers.take('reader')).toEqual([0, 1, 2, 3]);
    expect(buffers.count('tracer')).toBe(1);
  });

  it('refuses a batch of nothing', () => {
    expect(() => new AgentBuffers({ rolloutBatch: 0, trainBatch: 0 })).toThrow(RangeError);
  });
});

describe('buffers that are written down and read again', () => {
  type Operation =
    | { readonly kind: 'add'; readonly agent: string; readonly count: number }
    | { readonly kind: 'take'; readonly agent: string }
    | { readonly kind: 'round' };
  const agent = fc.constantFrom('reader', 'tracer');
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), agent, count: fc.nat(9) }),
    fc.record({ kind: fc.constant('take' as const), agent }),
    fc.record({ kind: fc.constant('round' as const) }),
  );

  it('continue unchanged after a restore, and lose or double no sample', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const sizes = { rolloutBatch: 4, trainBatch: 4 };
        const whole = new AgentBuffers<number>(sizes);
        let torn = new AgentBuffers<number>(sizes);
        const taken: number[] = [];
        let next = 0;
        for (const one of operations) {
          torn = AgentBuffers.restored(
            sizes,
            JSON.parse(JSON.stringify(torn.state())) as BufferState<number>,
          );
          if (one.kind === 'round') {
            whole.startRound();
            torn.startRound();
          } else if (one.kind === 'add') {
            const samples = numbers(next, one.count);
            next += one.count;
            whole.add(one.agent, samples);
            torn.add(one.agent, samples);
          } else {
            const samples = whole.take(one.agent);
            expect(torn.take(one.agent)).toEqual(samples);
            expect(samples.length % 4).toBe(0);
            taken.push(...samples);
          }
        }
        expect(torn.state()).toEqual(whole.state());
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });

  it('do not change when the saved state is changed afterwards', () => {
    const buffers = filled(3);
    const state = buffers.state();
    buffers.add('reader', [3]);
    expect(state.reader).toHaveLength(3);
    const restored = AgentBuffers.restored({ rolloutBatch: 4, trainBatch: 2 }, state);
    restored.add('reader', [3]);
    expect(state.reader).toHaveLength(3);
  });
});
