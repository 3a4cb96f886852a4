import { describe, expect, it } from 'vitest';
import { experimentRequestSchema, pocketTrainingSchema } from '../../../preload/contract';
import { EXPERIMENT_PRESETS, experimentFromPreset, PLAIN_OBJECTIVE } from '../../../preload/contract/plans';
import {
  baseTexts,
  checkExperiment,
  draftOfExperiment,
  draftOfPreset,
  type ExperimentDraft,
  trainingsOfSeed,
  withoutRow,
  withRow,
  withRowAdded,
  withRowCopied,
  withRowMoved,
} from '../../../renderer/experiments/experiment-draft';
import { differencesOf, rowLabel, withOverride } from '../../../renderer/experiments/row-draft';

const [READY] = EXPERIMENT_PRESETS;
if (READY?.id !== 'five-methods') throw new Error('Another one is first.');
const FIVE = draftOfPreset(READY);
const errorsOf = (draft: ExperimentDraft) => checkExperiment(draft).errors.map(({ at }) => at);

describe('the form of an experiment', () => {
  it.each(EXPERIMENT_PRESETS.map((ready) => [ready.id, ready] as const))(
    'gives the ready-made %s back as main would start it',
    (_, ready) => {
      const { request, errors: none } = checkExperiment(draftOfPreset(ready));
      expect(none).toEqual([]);
      const whole = experimentRequestSchema.parse(request);
      const model = experimentFromPreset(ready);
      expect(whole.rows).toEqual(model.rows);
      expect(whole.training).toMatchObject(model.training);
      expect([whole.name, whole.seeds]).toEqual([model.name, model.seeds]);
    },
  );

  it('fills itself in as an earlier experiment was, and says what was changed since', () => {
    const { request } = checkExperiment({ ...FIVE, texts: { ...FIVE.texts, updates: '50' } });
    if (request === null) throw new Error('no order');
    const again = draftOfExperiment(request);
    expect(checkExperiment(again).request).toEqual(request);
    expect(baseTexts(again).updates).toBe('50');
  });

  it('says what a row does otherwise', () => {
    const half = FIVE.rows.find((row) => rowLabel(row) === 'Heter-MARS², half the updates');
    expect(half && differencesOf(half)).toEqual(['Updates of each agent 150']);
  });

  it('puts the whole objective into a row that changes a switch of it', () => {
    const [first] = FIVE.rows;
    if (first === undefined) throw new Error('no row');
    const draft = withRow(FIVE, first.key, withOverride(first, 'objective.shaping.strength', '0'));
    expect(checkExperiment(draft).request?.rows[0]?.change).toEqual({
      objective: { ...PLAIN_OBJECTIVE, shaping: { ...PLAIN_OBJECTIVE.shaping, strength: 0 } },
    });
    const taken = withRow(draft, first.key, withOverride(first, 'objective.shaping.strength', null));
    expect(checkExperiment(taken).request?.rows[0]?.change).toEqual({});
  });

  it('says where a row is wrong', () => {
    const [first, second] = FIVE.rows;
    if (first === undefined || second === undefined) throw new Error('no rows');
    expect(errorsOf(withRow(FIVE, first.key, withOverride(first, 'updates', 'x')))).toEqual([
      `${first.key} updates`,
    ]);
    expect(errorsOf(withRow(FIVE, second.key, { label: rowLabel(first) }))).toEqual([`${second.key} label`]);
    expect(
      errorsOf(withRow(FIVE, first.key, { method: 'mixed-groups', families: ['reader'], label: 'x' })),
    ).toEqual([`${first.key} families`]);
    expect(errorsOf({ ...FIVE, rows: [] })).toEqual(['rows']);
    expect(errorsOf({ ...FIVE, seeds: '1 1', texts: { ...FIVE.texts, updates: '' } })).toEqual([
      'seeds',
      'updates',
    ]);
  });

  it('copies, moves, adds and removes rows', () => {
    const [first] = FIVE.rows;
    const key = first?.key ?? 0;
    const copied = withRowCopied(FIVE, key);
    expect(copied.rows.slice(0, 2).map(rowLabel)).toEqual(['Base', 'Base 2']);
    expect(withRowMoved(FIVE, key, 1).rows.slice(0, 2).map(rowLabel)).toEqual(['Vanilla GRPO', 'Base']);
    expect(withRowMoved(FIVE, key, -1)).toBe(FIVE);
    expect(withoutRow(copied, key).rows.map(rowLabel)[0]).toBe('Base 2');
    expect(new Set(withRowAdded(FIVE).rows.map((row) => row.key)).size).toBe(FIVE.rows.length + 1);
  });

  it('warns of one seed, and of a team without controls', () => {
    const { warnings } = checkExperiment({
      ...FIVE,
      seeds: '1',
      rows: FIVE.rows.filter(({ method }) => method === 'heter-mars2'),
    });
    expect(warnings).toHaveLength(2);
  });

  it('asks main for the time of trainings that main takes', () => {
    const { request } = checkExperiment(FIVE);
    if (request === null) throw new Error('no order');
    const trainings = trainingsOfSeed(request);
    expect(trainings).toHaveLength(request.rows.length);
    for (const training of trainings) expect(pocketTrainingSchema.parse(training)).toEqual(training);
    expect(trainings.map(({ updates }) => updates)).toContain(150);
  });
});
