import { describe, expect, it } from 'vitest';
import { trainingRequestSchema } from '../../../preload/contract';
import { EMPTY_POCKET, type PocketDraft } from '../../../renderer/new-training/pocket-draft';
import {
  checkTraining,
  draftForRoute,
  draftOfTraining,
  EMPTY_TRAINING,
  type TrainingDraft,
  trainingName,
} from '../../../renderer/new-training/training-draft';
import { sampleLab } from '../../support/sample-jobs';
import { orderedTraining, RECIPE } from '../../support/sample-requests';

const machine = (id: string) => sampleLab().find(({ spec }) => spec.id === id) ?? null;
const known = { machine: null, recipe: null, benchmarkIds: null };
const pocket = (change: Partial<PocketDraft> = {}, texts: Record<string, string> = {}): TrainingDraft => ({
  ...EMPTY_TRAINING,
  pocket: { ...EMPTY_POCKET, ...change, texts: { ...EMPTY_POCKET.texts, ...texts } },
});
const errorsOf = (draft: TrainingDraft) =>
  checkTraining(draft, known).errors.map(({ at, message }) => `${at}: ${message}`);

describe('the form of a training', () => {
  it('opens with a pocket training that main takes as it is', () => {
    const { request, errors: wrong } = checkTraining(EMPTY_TRAINING, known);
    expect(wrong).toEqual([]);
    expect(trainingRequestSchema.parse(request)).toMatchObject({
      name: 'Heter-MARS², reader + tracer',
      machineId: 'local',
      spec: { kind: 'pocket', method: 'heter-mars2', updates: 300 },
    });
  });

  it('opens for a machine or a trainer, and keeps what was typed', () => {
    const typed = { ...EMPTY_TRAINING, name: 'mine' };
    expect(draftForRoute(typed, { machineId: 'gpu1', trainer: null })).toMatchObject({
      kind: 'pocket',
      name: 'mine',
      machineDraft: { machineId: 'gpu1' },
    });
    expect(draftForRoute(typed, { machineId: 'local', trainer: null }).kind).toBe('pocket');
    expect(draftForRoute(typed, { machineId: null, trainer: 'recipe' }).kind).toBe('recipe');
  });

  it('takes how often it is restarted by itself', () => {
    const { request } = checkTraining({ ...EMPTY_TRAINING, restarts: '2' }, known);
    expect(request?.restarts).toBe(2);
    expect(errorsOf({ ...EMPTY_TRAINING, restarts: '21' })).toEqual([
      'restarts: A whole number from 0 to 20.',
    ]);
  });

  it('takes the grader service of an own trainer, also of an earlier training, and no other trainer has it', () => {
    const grader = { address: 'http://10.0.0.7:8765', tokenFile: '~/token' };
    const again = draftOfTraining({ ...orderedTraining('pocket'), grader }, null);
    const { request } = checkTraining(again, known);
    expect(request?.grader).toEqual(grader);
    const inVariable = { ...EMPTY_TRAINING, grader: { address: 'http://[::1]:8765', tokenFile: ' ' } };
    expect(checkTraining(inVariable, known).request?.grader).toEqual({ address: 'http://[::1]:8765' });
    expect(checkTraining(EMPTY_TRAINING, known).request).not.toHaveProperty('grader');
    expect(
      errorsOf({ ...EMPTY_TRAINING, grader: { address: 'http://me:pw@host', tokenFile: 'token' } }),
    ).toEqual([
      'grader: Enter an address such as http://127.0.0.1:8765.',
      'grader token: Enter a full path, from / or ~.',
    ]);
    const recipe = draftOfTraining({ ...orderedTraining('recipe'), grader }, null);
    const shown = { ...known, machine: machine(recipe.machineDraft.machineId), recipe: RECIPE };
    expect(checkTraining(recipe, shown).request).not.toHaveProperty('grader');
  });

  it('says at the field what is wrong', () => {
    expect(errorsOf(pocket({ families: ['reader'] }))).toEqual(['families: Heter-MARS² needs two agents.']);
    expect(errorsOf(pocket({ seed: 'x' }, { updates: '0', 'objective.kl.coefficient': '11' }))).toEqual([
      'seed: A whole number from 0 to 2,147,483,647.',
      'updates: A whole number from 1 to 100,000.',
      'objective.kl.coefficient: A number from 0 to 10.',
    ]);
  });

  it('is not blocked by fields that are not shown', () => {
    expect(errorsOf(pocket({ method: 'base' }, { updates: '0' }))).toEqual([]);
  });

  it('warns of a choice that is made on the test problems', () => {
    const { warnings } = checkTraining(pocket({}, { 'evaluation.every': '50' }), known);
    expect(warnings).toEqual([expect.stringContaining('selecting on the test')]);
  });

  it('gives an earlier training back as the order it was', () => {
    for (const kind of ['pocket', 'model', 'marti', 'recipe'] as const) {
      const training = orderedTraining(kind);
      const recipe = kind === 'recipe' ? RECIPE : null;
      const draft = draftOfTraining(training, null);
      const { request } = checkTraining(draft, {
        ...known,
        machine: machine(training.machineId),
        recipe,
      });
      expect(request?.spec).toEqual(training.spec);
      expect(request?.name).toBe(training.name);
    }
  });

  it('asks of a recipe for what it requires', () => {
    const draft: TrainingDraft = {
      ...draftForRoute(EMPTY_TRAINING, { machineId: 'gpu1', trainer: 'recipe' }),
      recipe: { recipeId: RECIPE.id, values: { batch: 'many' }, extraArguments: '' },
    };
    const checked = checkTraining(draft, { ...known, machine: machine('gpu1'), recipe: RECIPE });
    expect(checked.errors).toEqual([
      { at: 'recipe.model', kind: 'missing', message: 'Enter a value.' },
      { at: 'recipe.batch', kind: 'wrong', message: 'Enter a number, e.g. 16 or 1e-6.' },
    ]);
    expect(checked.warnings).toEqual(['No GPUs requested, but most trainers need one.']);
  });

  it('leaves the number of GPUs to a recipe that has a field for it', () => {
    const training = orderedTraining('recipe');
    const draft = draftOfTraining(training, null);
    const earlier = { ...draft, machineDraft: { ...draft.machineDraft, gpuMode: 'any' as const, gpus: '8' } };
    const recipe = { ...RECIPE, gpus: 'batch' };
    const { request, warnings } = checkTraining(earlier, {
      ...known,
      machine: machine(training.machineId),
      recipe,
    });
    expect(request?.resources.gpus).toBe(0);
    expect(warnings).toEqual([]);
  });

  it('of MARTI and of a recipe repeats the training with values and seeds, each by its name', () => {
    const marti = draftOfTraining(orderedTraining('marti'), null);
    const where = { ...known, machine: machine(marti.machineDraft.machineId) };
    const swept = (fields: TrainingDraft['sweep']['fields'], seeds: string) =>
      checkTraining({ ...marti, sweep: { fields, seeds } }, where);
    expect(swept([], '').sweep).toBeNull();
    const { sweep, errors } = swept([{ id: 'max_epochs', values: '1, 2' }], '1-3');
    expect(errors).toEqual([]);
    expect(sweep?.kind === 'trainings' && sweep.trainings.map(({ name }) => name).at(-1)).toBe(
      'An earlier marti training, max_epochs 2, seed 3',
    );
    expect(swept([{ id: 'max_epochs', values: '1, x' }], '').errors).toEqual([
      expect.objectContaining({ at: 'sweep max_epochs', message: expect.stringContaining('not "x"') }),
    ]);
    const recipe = draftOfTraining(orderedTraining('recipe'), null);
    const byRecipe = { ...known, machine: machine(recipe.machineDraft.machineId), recipe: RECIPE };
    const nowhere = checkTraining({ ...recipe, sweep: { fields: [], seeds: '1-2' } }, byRecipe);
    expect(nowhere.errors).toEqual([
      expect.objectContaining({ at: 'sweep', message: expect.stringContaining('overwrite one another') }),
    ]);
    const writes = { ...RECIPE, checkpoints: '{model}' };
    const unseeded = checkTraining(
      { ...recipe, sweep: { fields: [], seeds: '1-2' } },
      { ...byRecipe, recipe: writes },
    );
    expect(unseeded.errors).toEqual([
      expect.objectContaining({ at: 'sweep seeds', message: expect.stringContaining('"seed" cannot take') }),
    ]);
  });

  it('has a name that tells an experiment from a plain training, and rows that are named as the form names them', () => {
    const plain = trainingName(EMPTY_TRAINING, null);
    const swept = {
      ...EMPTY_TRAINING,
      sweep: {
        fields: [
          { id: 'rate', values: '0.01, 0.03' },
          { id: 'objective.kl.estimator', values: 'k3' },
        ],
        seeds: '1-3',
      },
    };
    expect(trainingName(swept, null)).toBe(
      `${plain}, by Peak learning rate and KL to the pre-trained policy: Estimator k, seeds 1-3`,
    );
    const { sweep } = checkTraining(swept, known);
    expect(sweep?.kind === 'experiment' && sweep.experiment.rows.map(({ label }) => label)).toEqual([
      'Peak learning rate 0.01, KL to the pre-trained policy: Estimator k k3',
      'Peak learning rate 0.03, KL to the pre-trained policy: Estimator k k3',
    ]);
  });

  it('leaves values of settings that its trainer has not, which are not shown', () => {
    const fields = [{ id: 'rate', values: '0.1, x' }];
    const marti = draftOfTraining(orderedTraining('marti'), null);
    const where = { ...known, machine: machine(marti.machineDraft.machineId) };
    expect(checkTraining({ ...marti, sweep: { fields, seeds: '' } }, where).errors).toEqual([]);
    expect(errorsOf({ ...EMPTY_TRAINING, sweep: { fields, seeds: '' } })).toHaveLength(1);
  });

  it('marks seeds that are none beside other errors, not after them', () => {
    const wrong = { ...EMPTY_TRAINING, restarts: '-1', sweep: { fields: [], seeds: 'x' } };
    expect(checkTraining(wrong, known).errors.map(({ at }) => at)).toEqual(['restarts', 'sweep seeds']);
  });
});
