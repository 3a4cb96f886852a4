import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exhibitSchema, reproductionPlanSchema } from '../../../../../preload/contract';
import { CONTROL } from '../../../../../preload/contract/plans';
import {
  builtInExhibit,
  countOf,
  LAB,
  LOCATIONS,
  planOf,
  twoModels,
  workOf,
} from '../../../../support/plan-inputs';

const EXHIBITS = readdirSync('resources/exhibits').map((name) => name.replace(/\.json$/, ''));
const SCALES = ['pocket', 'paper'] as const;
const KNOWN_COST = { programCost: () => ({ seconds: 0.01, tokens: 100 }) };
const EVERY = EXHIBITS.flatMap((id) => SCALES.map((scale) => [id, scale] as const));

describe('the graph of a plan', () => {
  test.each(EVERY)(
    'of %s at %s scale is whole: each step has its work and comes after what it needs',
    (id, scale) => {
      const exhibit = builtInExhibit(id);
      const { plan, work, unmeasured } = planOf(exhibit, scale);
      reproductionPlanSchema.parse(plan);
      const seen = new Set<string>();
      for (const step of plan.steps) {
        expect(seen.has(step.id)).toBe(false);
        for (const needed of step.needs) expect(seen).toContain(needed);
        expect(work.get(step.id)?.kind).toBe(step.kind);
        expect(step.configurations.length).toBeGreaterThan(0);
        seen.add(step.id);
      }
      expect(work.size).toBe(plan.steps.length);
      const keys = [
        ...exhibit.cells.map(({ row, column }) => `${row}.${column}`),
        ...exhibit.series.map((series) => series.id),
      ];
      for (const key of keys) expect(seen.has(`cell:${key}`)).toBe(!unmeasured.has(key));
    },
  );

  test.each(EVERY)('of %s at %s scale is the same for the same order and inputs', (id, scale) => {
    const [first, second] = [0, 1].map(() => planOf(builtInExhibit(id), scale, { inputs: LAB }));
    expect(JSON.stringify(first?.plan)).toBe(JSON.stringify(second?.plan));
    expect(JSON.stringify([...(first?.work ?? [])])).toBe(JSON.stringify([...(second?.work ?? [])]));
  });

  test.each(EXHIBITS)('every cell of %s can be measured at pocket scale, and nothing is missing', (id) => {
    const { plan, unmeasured } = planOf(builtInExhibit(id), 'pocket');
    expect([...unmeasured]).toEqual([]);
    expect(plan.missing).toEqual([]);
  });

  test('a training is shared by all who need its weights, alone or as a team', () => {
    const planned = planOf(twoModels(), 'pocket');
    const titles = planned.plan.steps.filter(({ kind }) => kind === 'train').map(({ id }) => id);
    const groups = ['homo-mars2:a', 'heter-mars2:a+b', 'grpo:a', 'grpo:b'];
    expect(titles.toSorted()).toEqual(
      groups.flatMap((group) => [`train:${group}:11`, `train:${group}:12`]).toSorted(),
    );
    // Base A; A in roles; A and B of the team; A and B after GRPO; each with two seeds.
    expect(countOf(planned.plan, 'serve')).toBe(12);
    expect(planned.plan.modelLoads).toBe(12);
    expect(countOf(planned.plan, 'search')).toBe(10);
  });

  test('nothing is measured for what a study or trainings at hand answer for', () => {
    const exhibit = builtInExhibit('learning-curves');
    const [line] = exhibit.series;
    if (line?.curve.kind !== 'learning') throw new Error('It has lines over trainings');
    const own = { ...line, curve: { ...line.curve, training: 'somewhere' } };
    const { plan, unmeasured } = planOf({ ...exhibit, series: [own] }, 'pocket');
    expect(plan.steps).toEqual([]);
    expect(unmeasured.get(line.id)).toContain('trainings at hand answer for it');
    const rows = twoModels();
    const study = { id: 'study-1', configuration: 'alone' };
    const configurations = rows.configurations.map((one) => ({ ...one, study }));
    expect(planOf({ ...rows, configurations, series: [] }, 'pocket').plan.steps).toEqual([]);
  });

  test('the seed of a run is that of its training, its checkpoint and its search', () => {
    for (const work of workOf(planOf(twoModels(), 'pocket'), 'search')) {
      for (const { seed, weights } of work.servers) {
        expect(seed).toBe(work.seed);
        if (weights.kind === 'training') expect(weights.stepId.endsWith(`:${work.seed}`)).toBe(true);
      }
    }
    for (const { order } of workOf(planOf(twoModels(), 'pocket'), 'train')) {
      expect(order.spec.kind === 'pocket' && [11, 12].includes(order.spec.seed)).toBe(true);
    }
  });

  test('a homogeneous team is one model in several roles, a heterogeneous one a model a place', () => {
    const searches = workOf(planOf(twoModels(), 'pocket', { order: { seeds: [11] } }), 'search');
    const members = Object.fromEntries(searches.map((one) => [one.configurationId, one.members]));
    expect(members).toEqual({
      base: ['reader-base-11'],
      roles: ['reader-homo-mars2-11', 'reader-homo-mars2-11'],
      team: ['reader-heter-mars2-tracer-11', 'tracer-heter-mars2-reader-11'],
      half: ['tracer-heter-mars2-reader-11'],
      pair: ['tracer-grpo-11', 'reader-grpo-11'],
    });
    expect(searches.find((one) => one.configurationId === 'pair')?.search.nodes).toBe(9);
    expect(searches.find((one) => one.configurationId === 'team')?.search.nodes).toBe(12);
  });

  test('models with dashes in their names are not confused', () => {
    const [a, b] = twoModels().models;
    if (a === undefined || b === undefined) throw new Error('There are two models');
    const models = ['x', 'b', 'c', 'b-c'].map((id, at) => ({ ...(at % 2 === 0 ? a : b), id }));
    const both = [['b', 'c'], ['b-c']].map((partners, at) => ({
      id: `p${at}`,
      label: `P ${at}`,
      models: ['x'],
      method: 'heter-mars2',
      partners,
    }));
    const cells = both.map(({ id }) => ({ ...twoModels().cells[0], column: id, configuration: id }));
    const columns = both.map(({ id }) => ({ id, label: id }));
    const exhibit = exhibitSchema.parse({
      ...twoModels(),
      models,
      configurations: both,
      columns,
      cells,
      series: [],
    });
    const { plan, work } = planOf(exhibit, 'paper', {
      order: { seeds: [11], paper: LOCATIONS },
      inputs: LAB,
    });
    expect(work.size).toBe(plan.steps.length);
    expect(countOf(plan, 'serve')).toBe(2);
  });

  test('only trainings whose curve is asked for are evaluated on the way', () => {
    const trains = workOf(planOf(twoModels(), 'pocket', { order: { seeds: [11] } }), 'train');
    const every = trains.flatMap(({ order: { spec } }) =>
      spec.kind === 'pocket' ? [[spec.method, spec.families.join('+'), spec.evaluation] as const] : [],
    );
    for (const [method, , evaluation] of every) {
      if (method === 'heter-mars2') expect(evaluation).toMatchObject({ every: 4, nodes: 1, problems: 20 });
      else expect(evaluation).toMatchObject({ every: 0, problems: 0, nodes: 1, samples: 1 });
    }
  });

  test('chosen cells bring only what they need', () => {
    const { plan } = planOf(twoModels(), 'pocket', { order: { only: ['r.half'], seeds: [11] } });
    expect(plan.steps.map(({ id }) => id)).toEqual([
      'train:heter-mars2:a+b:11',
      'serve:tracer-heter-mars2-reader-11',
      'search:half:11',
      'grade:half:11',
      'metrics:half',
      'cell:r.half',
    ]);
  });

  test('a learning curve needs its trainings, and no search', () => {
    const { plan } = planOf(twoModels(), 'pocket', { order: { only: ['curve'] } });
    expect(plan.steps.map(({ id }) => id)).toEqual([
      'train:heter-mars2:a+b:11',
      'train:heter-mars2:a+b:12',
      'cell:curve',
    ]);
  });

  test('a cell that the exhibit does not have is reported, with the syntax of cell names', () => {
    const { plan } = planOf(twoModels(), 'pocket', { order: { only: ['r.base', 'base'] } });
    expect(plan.missing.map(({ what }) => what)).toEqual(['"Two models" has no cell or line "base".']);
    expect(plan.missing[0]?.todo).toContain('r.base');
  });

  test('fewer problems are the first ones, and the plan says what that costs', () => {
    const planned = planOf(twoModels(), 'pocket', { order: { problems: 5 } });
    for (const { problems } of workOf(planned, 'search')) {
      expect(problems).toEqual({ kind: 'pocket', split: 'test', seed: 1, count: 20, first: 5 });
    }
    expect(planned.plan.notes.join(' ')).toContain('Only the first 5 of 20 problems');
    const more = planOf(twoModels(), 'pocket', { order: { problems: 500 } });
    expect(more.plan.notes.join(' ')).toContain('The exhibit has 20 problems, not 500');
  });

  test('pocket searches in many batches still load every model once', () => {
    const { plan } = planOf(builtInExhibit('heterogeneous-pass1'), 'pocket');
    expect(Math.max(...plan.steps.map(({ wave }) => wave))).toBeGreaterThan(0);
    const servers = plan.steps.filter(({ kind }) => kind === 'serve');
    expect(new Set(servers.map(({ title }) => title)).size).toBe(plan.modelLoads);
  });

  test('all searches of the first seed come before those of the next, and the plan says what it costs', () => {
    const { plan } = planOf(builtInExhibit('homogeneous'), 'pocket', { inputs: KNOWN_COST });
    const searches = plan.steps.filter(({ kind }) => kind === 'search');
    const batchesOf = (seed: number) => searches.filter((step) => step.seed === seed).map(({ wave }) => wave);
    for (const seed of [12, 13, 14, 15])
      expect(Math.min(...batchesOf(seed))).toBeGreaterThan(Math.max(...batchesOf(11)));
    expect(plan.oneSeed?.note).toMatch(
      /^5 seeds: all of seed 11 comes first, .* Seed 11 alone takes 15 trainings and 25 searches, about \d+ min, but/,
    );
  });

  test('the controls of ours are counted apart, and can be left out', () => {
    const exhibit = builtInExhibit('mars2-systems');
    const { plan } = planOf(exhibit, 'pocket', { order: { seeds: [11] }, inputs: KNOWN_COST });
    expect(plan.notes.join(' ')).toMatch(
      /Of these, 8 trainings and 16 searches are for rows and lines of ours, .*, about \d+ min\./,
    );
    const theirs = exhibit.cells.filter(({ row }) => !exhibit.rows.find(({ id }) => id === row)?.ours);
    const only = theirs.map(({ row, column }) => `${row}.${column}`);
    const without = planOf(exhibit, 'pocket', { order: { seeds: [11], only } }).plan;
    expect(countOf(without, 'train')).toBe(countOf(plan, 'train') - 8);
    expect(without.notes.join(' ')).not.toContain('lines of ours');
  });

  test('the work of every exhibit is as the page of reproductions lists it', () => {
    const page = readFileSync('docs/reproductions.md', 'utf8');
    const lines = page.matchAll(
      /^\| `([a-z0-9-]+)` \| (\d+) \((\d+)\) \| (\d+)(?: \((\d+)\))? \| [\d,() ]*\|$/gm,
    );
    let listed = 0;
    for (const [, id = '', trainings, without, searches, searchesWithout = '0'] of lines) {
      const exhibit = builtInExhibit(id);
      const isAdded = ({ ours, label }: { ours?: boolean | undefined; label: string }): boolean =>
        exhibit.rows.length > 0 ? ours === true : label.startsWith(CONTROL);
      const added = [...exhibit.rows, ...exhibit.columns, ...exhibit.series]
        .filter(isAdded)
        .map(({ id: own }) => own);
      const only = [
        ...exhibit.cells
          .filter(({ row, column }) => !added.includes(row) && !added.includes(column))
          .map(({ row, column }) => `${row}.${column}`),
        ...exhibit.series.filter((series) => !added.includes(series.id)).map((series) => series.id),
      ];
      const whole = planOf(exhibit, 'pocket').plan;
      const theirs = planOf(exhibit, 'pocket', { order: { only } }).plan;
      const work = [whole, theirs].flatMap((plan) => [countOf(plan, 'train'), countOf(plan, 'search')]);
      expect([id, ...work]).toEqual([id, ...[trainings, searches, without, searchesWithout].map(Number)]);
      listed += 1;
    }
    expect(listed).toBe(8);
  });

  test('at paper scale controls of ours are measured only where they are chosen', () => {
    const exhibit = builtInExhibit('homogeneous');
    const { plan, unmeasured } = planOf(exhibit, 'paper', { inputs: LAB });
    expect(countOf(plan, 'cell')).toBe(45);
    expect(unmeasured.get('qwen3-8b-samples.pass-n')).toMatch(/controls of ours.* tick them in a new plan/);
    const chosen = planOf(exhibit, 'paper', {
      order: { only: ['qwen3-8b-grpo-all-wrong.pass-n'] },
      inputs: LAB,
    });
    expect(countOf(chosen.plan, 'cell')).toBe(1);
  });

  test('a row with the tokens of another needs the measurement of that one as well', () => {
    const { plan } = planOf(builtInExhibit('mars2-systems'), 'pocket', {
      order: { only: ['8b-samples.pass-n'], seeds: [11] },
    });
    const cell = plan.steps.find(({ kind }) => kind === 'cell');
    expect(cell?.needs).toEqual([
      'metrics:qwen3-8b-areal-8b-samples',
      'metrics:qwen3-8b-areal-8b-heter-mars2',
    ]);
    expect(countOf(plan, 'search')).toBe(2);
  });
});
