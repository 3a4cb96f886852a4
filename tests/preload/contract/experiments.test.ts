import { describe, expect, it } from 'vitest';
import { experimentRequestSchema } from '../../../preload/contract';
import { EXPERIMENT_PRESETS, experimentFromPreset, PAPER_ORDER } from '../../../preload/contract/plans';

describe('ready-made experiments', () => {
  it.each(EXPERIMENT_PRESETS)('$id is an order that main takes as it is', (ready) => {
    const request = experimentFromPreset(ready);
    expect(experimentRequestSchema.parse(request)).toEqual(request);
    expect(new Set(request.rows.map(({ label }) => label)).size).toBe(request.rows.length);
  });

  it('take other seeds', () => {
    const [first] = EXPERIMENT_PRESETS;
    if (first === undefined) throw new Error('none');
    expect(experimentFromPreset(first, [3, 4]).seeds).toEqual([3, 4]);
  });

  it.each(['five-methods', 'three-families'])('%s has the five methods and both controls', (id) => {
    const methods = EXPERIMENT_PRESETS.find((one) => one.id === id)?.rows.map(({ method }) => method);
    expect(methods).toEqual(expect.arrayContaining([...PAPER_ORDER, 'grpo-all-wrong', 'mixed-groups']));
  });

  it.each(['five-methods', 'three-families'])(
    '%s has Heter-MARS² with as many samples in total as one agent alone',
    (id) => {
      const { rows, training } = EXPERIMENT_PRESETS.find((one) => one.id === id) ?? {
        rows: [],
        training: {},
      };
      const fewer = rows.find(
        ({ method, change }) => method === 'heter-mars2' && change.updates !== undefined,
      );
      expect((fewer?.change.updates ?? 0) * (fewer?.families.length ?? 0)).toBe(training.updates);
    },
  );
});
