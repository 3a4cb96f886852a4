import { describe, expect, it } from 'vitest';
import { martiTrainingSchema } from '../../../preload/contract';
import { MARTI_FLAGS, martiFlag } from '../../../preload/contract/plans';
import {
  checkMarti,
  EMPTY_MARTI,
  MARTI_PRESETS,
  type MartiDraft,
  withMartiAgent,
  withMartiPreset,
} from '../../../renderer/new-training/marti-draft';
import {
  flagError,
  flagText,
  presetFlag,
  shownFlags,
  withFlag,
} from '../../../renderer/new-training/marti-flag-draft';

const FILLED: MartiDraft = {
  ...EMPTY_MARTI,
  checkout: '/home/lab/MARTI',
  data: '~/data',
  output: '/scratch/out',
};
const named = (name: string) => {
  const flag = martiFlag(name);
  if (flag === null) throw new Error(`No flag ${name}`);
  return flag;
};
const errorsOf = (draft: MartiDraft) => checkMarti(draft).errors.map(({ at }) => at);

describe('the form of a MARTI training', () => {
  it('gives a training that main takes, with changed flags alone', () => {
    const draft = withFlag(withFlag(FILLED, named('max_epochs'), '2'), named('temperature'), '1');
    const { value, errors: none } = checkMarti(draft);
    expect(none).toEqual([]);
    expect(martiTrainingSchema.parse(value)).toMatchObject({
      preset: 'multi',
      rayAddress: null,
      flags: { max_epochs: 2 },
    });
    expect(value.flags).toEqual({ max_epochs: 2 });
  });

  it('asks for what is missing only where it is missing', () => {
    expect(errorsOf(EMPTY_MARTI)).toEqual(['checkout', 'data', 'output']);
    expect(errorsOf({ ...FILLED, data: 'data' })).toEqual(['data']);
  });

  it('has as many agents as a preset takes', () => {
    expect(withMartiPreset(FILLED, 'single').agents).toHaveLength(1);
    const shared = withMartiPreset(withMartiPreset(FILLED, 'single'), 'shared');
    expect(new Set(shared.agents.map(({ model }) => model)).size).toBe(1);
    expect(errorsOf({ ...FILLED, preset: 'grpo' })).toEqual(['agents']);
    expect(errorsOf(withMartiAgent(FILLED))).toEqual(['agent 2']);
  });

  it('every default of every preset is a value that its flag takes', () => {
    for (const { id } of MARTI_PRESETS) {
      for (const flag of MARTI_FLAGS) {
        expect([flag.name, flagError(flag, presetFlag(flag, id), id)]).toEqual([flag.name, null]);
      }
    }
  });

  it('a flag typed with its default is not a change', () => {
    const flag = named('max_epochs');
    expect(withFlag(withFlag(FILLED, flag, '2'), flag, '1').flags).toEqual({});
    expect(flagText(withFlag(FILLED, flag, '2'), flag)).toBe('2');
    expect(errorsOf(withFlag(FILLED, flag, 'two'))).toEqual(['flag.max_epochs']);
    expect(errorsOf(withFlag(FILLED, flag, ''))).toEqual(['flag.max_epochs']);
  });

  it('finds flags by name, label and help, and those that were changed', () => {
    const shown = shownFlags(FILLED, { search: 'kl estimator', changedOnly: false });
    expect(shown.map(({ name }) => name)).toContain('kl_estimator');
    const changed = withFlag(FILLED, named('max_epochs'), '2');
    expect(shownFlags(changed, { search: '', changedOnly: true }).map(({ name }) => name)).toEqual([
      'max_epochs',
    ]);
  });
});
