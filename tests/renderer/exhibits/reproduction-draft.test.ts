import { describe, expect, it } from 'vitest';
import { reproductionRequestSchema } from '../../../preload/contract';
import { cellKey } from '../../../preload/contract/plans';
import {
  askedForLast,
  checkDraft,
  draftFor,
  EMPTY_DRAFT,
  EMPTY_PAPER,
  paperDraftOf,
  type ReproductionDraft,
  WHOLE,
} from '../../../renderer/exhibits/reproduction-draft';
import { builtInExhibit } from '../../support/plan-inputs';

const homogeneous = builtInExhibit('homogeneous');
const check = (part: Partial<ReproductionDraft>, scale: 'pocket' | 'paper' = 'pocket') =>
  checkDraft({ ...EMPTY_DRAFT, ...part }, homogeneous, scale);
const errorsAt = (part: Partial<ReproductionDraft>, scale: 'pocket' | 'paper' = 'pocket') =>
  check(part, scale).errors.map(({ at }) => at);

describe('the order of a form', () => {
  it('leaves to the exhibit what is left empty', () => {
    expect(check({}).request).toEqual(
      reproductionRequestSchema.parse({
        exhibitId: 'homogeneous',
        scale: 'pocket',
        paper: { trainer: 'own' },
      }),
    );
  });

  it('reads seeds and problems', () => {
    const { request } = check({ seeds: '11, 12 13', problems: ' 40 ', machineIds: ['local'] });
    expect(request).toMatchObject({ seeds: [11, 12, 13], problems: 40, machineIds: ['local'] });
  });

  it.each<[string, Partial<ReproductionDraft>, string]>([
    ['a seed that is no number', { seeds: '11 x' }, 'seeds'],
    ['a seed twice', { seeds: '11 11' }, 'seeds'],
    ['too many seeds', { seeds: Array.from({ length: 21 }, (_, at) => at).join(' ') }, 'seeds'],
    ['no problem', { problems: '0' }, 'problems'],
    ['more problems than the exhibit has', { problems: '500' }, 'problems'],
    ['half a problem', { problems: '2.5' }, 'problems'],
    ['no machine', { machineIds: [] }, 'machines'],
    ['no cell and no line', { parts: { rows: ['qwen3-8b-base'], columns: [], lines: [] } }, 'parts'],
  ])('refuses %s, at its field', (_, part, at) => {
    expect(errorsAt(part)).toEqual([at]);
    expect(check(part).request).toBeNull();
  });

  it('names the cells of the rows and columns that are ticked', () => {
    const [row] = homogeneous.rows.map(({ id }) => id);
    const [column] = homogeneous.columns.map(({ id }) => id);
    const parts = { rows: [row ?? ''], columns: [column ?? ''], lines: [] };
    expect(check({ parts }).request?.only).toEqual([`${row}.${column}`]);
  });

  it('asks for the cells, seeds and problems of the last order again, as long as the exhibit has them', () => {
    const only = homogeneous.cells.slice(0, 3).map(cellKey);
    const last = { seeds: [11, 12], problems: 20, only: [...only, 'gone.cell'] };
    expect(check(askedForLast(homogeneous, last)).request).toMatchObject({ ...last, only });
    expect(check(askedForLast(homogeneous, { only: ['gone.cell'] })).request).toEqual(check({}).request);
    expect(check({ ...askedForLast(homogeneous, last), ...WHOLE }).request).toEqual(check({}).request);
  });

  it("has no weights and checkpoints of other exhibits' models, whose paths are kept in the form", () => {
    const checkpoint = { key: 0, method: 'grpo', trainedWith: [], path: '/ck' } as const;
    const draft = {
      ...EMPTY_DRAFT,
      paper: {
        ...EMPTY_PAPER,
        weights: { 'qwen3-8b': '/models/qwen', 'areal-8b': '/models/areal' },
        checkpoints: [
          { ...checkpoint, modelId: 'areal-8b' },
          { ...checkpoint, modelId: 'qwen3-8b' },
        ],
      },
    };
    const models = builtInExhibit('diversity').models.filter(({ id }) => id === 'qwen3-8b');
    const { paper } = draftFor({ models }, draft);
    expect(paper.weights).toEqual({ 'qwen3-8b': '/models/qwen' });
    expect(paper.checkpoints.map(({ modelId }) => modelId)).toEqual(['qwen3-8b']);
    expect(draft.paper.checkpoints).toHaveLength(2);
  });

  it('is accepted by the contract at paper scale, with the answers of the lab', () => {
    const { request } = check(
      {
        paper: {
          ...EMPTY_PAPER,
          weights: { 'qwen3-8b': ' /models/qwen ', 'areal-8b': ' ' },
          trainer: 'marti',
          martiCheckout: '/code/MARTI',
          environment: 'conda',
          environmentPlace: 'vllm',
          gpusPerServer: '2',
          checkpoints: [
            { key: 0, modelId: 'qwen3-8b', method: 'heter-mars2', trainedWith: ['areal-8b'], path: '/ck/1' },
          ],
        },
      },
      'paper',
    );
    expect(reproductionRequestSchema.parse(request)).toEqual(request);
    expect(request?.paper).toMatchObject({
      weights: { 'qwen3-8b': '/models/qwen' },
      martiCheckout: '/code/MARTI',
      martiPython: 'python3',
      trainingData: null,
      environment: { kind: 'conda', place: 'vllm' },
      gpusPerServer: 2,
      checkpoints: [{ trainedWith: ['qwen3-8b', 'areal-8b'] }],
    });
  });

  it('names what is wrong with the places of a lab, and only at paper scale', () => {
    const paper = {
      ...EMPTY_PAPER,
      gpusPerServer: '0',
      environment: 'venv' as const,
      checkpoints: [{ key: 3, modelId: 'a', method: 'rs2' as const, trainedWith: [], path: '' }],
    };
    expect(errorsAt({ paper }, 'paper')).toEqual(['gpus', 'environment', 'checkpoint 3']);
    expect(errorsAt({ paper })).toEqual([]);
  });
});

describe('what is remembered of a lab', () => {
  it('comes back as it was', () => {
    const paper = {
      ...EMPTY_PAPER,
      martiCheckout: '/code',
      weights: { a: '/w' },
      environment: 'venv' as const,
    };
    expect(paperDraftOf(JSON.stringify(paper))).toEqual(paper);
  });

  it.each(['', 'no json', 'null', '[]', '{"environment":"cloud","weights":{"a":4},"martiCheckout":7}'])(
    'is empty where it is not as it should be: %s',
    (text) => {
      expect(paperDraftOf(text)).toEqual(EMPTY_PAPER);
    },
  );
});
