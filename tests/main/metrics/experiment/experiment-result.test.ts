import { describe, expect, it } from 'vitest';
import {
  type DoneTraining,
  experimentResult,
  experimentResultInSteps,
  tTestP,
} from '../../../../main/metrics';
import type {
  ExperimentPair,
  ExperimentRequest,
  ExperimentResult,
  ExperimentRow,
} from '../../../../preload/contract';
import { COMPLEMENT_SHORT } from '../../../../preload/contract/plans';
import { byPython } from '../../../support/by-python';
import { type MadeUpSkill, madeUpTraining } from '../../../support/sample-evaluations';

const TWO = ['reader', 'tracer'];

function row(
  label: string,
  method: ExperimentRow['method'],
  more: Partial<ExperimentRow> = {},
): ExperimentRow {
  return { label, method, families: TWO, change: {}, ...more };
}

function skill(alone: number, searched: number, team: number): MadeUpSkill {
  return { alone: { reader: alone, tracer: alone + 0.03 }, searched, team };
}

const ROWS: ReadonlyArray<readonly [ExperimentRow, MadeUpSkill, number | null]> = [
  [row('Base', 'base'), skill(0.1, 0.1, 0.2), null],
  [row('Vanilla GRPO', 'grpo'), skill(0.2, 0.12, 0.3), 0.7],
  [row('RS²', 'rs2'), skill(0.2, 0.3, 0.5), 0.5],
  [row('Heter-MARS²', 'heter-mars2'), skill(0.6, 0.35, 0.9), 0.2],
  [row('Half', 'heter-mars2', { change: { updates: 50 } }), skill(0.4, 0.3, 0.8), 0.3],
  [row('GRPO, all-wrong groups count', 'grpo-all-wrong'), skill(0.6, 0.3, 0.6), 0.1],
];

function requestWith(seeds: readonly number[], rows = ROWS): ExperimentRequest {
  return { name: 'Made up', rows: rows.map(([one]) => one), seeds: [...seeds], training: { updates: 100 } };
}

function done(seeds: readonly number[], rows = ROWS): DoneTraining[] {
  return seeds.flatMap((seed) =>
    rows
      .map(([{ label }, own, zero], at) => madeUpTraining(label, seed * 10 + at, own, zero))
      .map((one) => ({ ...one, seed })),
  );
}

function result(seeds: readonly number[], trained = done(seeds), rows = ROWS): ExperimentResult {
  return experimentResult({
    experimentId: 'e',
    request: requestWith(seeds, rows),
    done: trained,
    trainingOf: ({ change }) => ({ updates: change.updates ?? 100, batch: 8 }),
  });
}

/** Every cell and difference again, from the evaluations, in another language and in another way. */
const IN_PYTHON = [
  'import json, sys',
  'from math import comb',
  'from statistics import fmean',
  'done = json.load(sys.stdin)',
  'def da(sizes, k=10):',
  '    n = sum(sizes)',
  '    return len(sizes) if k > n else sum(1 - comb(n - s, k) / comb(n, k) for s in sizes)',
  'def value(p, metric, agent):',
  "    if metric == 'pass@1':",
  "        own = [s for s in p['samples'] if s['agentId'] == agent]",
  "        return own[0]['passed'] / own[0]['count'] if own else None",
  "    if metric == 'pass@1(mcts)': return float(p['chosenPasses'])",
  "    if metric == 'pass@n': return float(p['somePasses'])",
  "    return da(p['algorithms']) if p['algorithms'] else None",
  'def known(xs):',
  '    xs = [x for x in xs if x is not None]',
  '    return fmean(xs) if xs else None',
  'def table(label, metric, part):',
  '    out = {}',
  '    for t in done:',
  "        if t['label'] != label: continue",
  "        teams = t['evaluation']['teams']",
  "        alone = [x for x in teams if len(x['agentIds']) == 1]",
  "        team = [x for x in teams if len(x['agentIds']) > 1]",
  "        for i in range(len(teams[0]['problems'])):",
  "            if part == 'team':",
  "                v = value(team[0]['problems'][i], metric, None)",
  "            elif part == 'alone':",
  "                v = known([value(x['problems'][i], metric, x['agentIds'][0]) for x in alone])",
  '            else:',
  "                v = known([value(x['problems'][i], metric, part) for x in alone if x['agentIds'][0] == part])",
  "            out[(t['seed'], i)] = v",
  '    return out',
  'def mean(t):',
  '    return known([known([t[k] for k in t if k[1] == i]) for i in sorted({k[1] for k in t})])',
  "labels = list(dict.fromkeys(t['label'] for t in done))",
  'cells, pairs = {}, {}',
  "for metric in ['pass@1', 'pass@1(mcts)', 'pass@n', 'da@k']:",
  "    for part in ['reader', 'tracer', 'alone', 'team']:",
  '        ts = {l: table(l, metric, part) for l in labels}',
  "        for l in labels: cells[f'{l}|{metric}|{part}'] = mean(ts[l])",
  '        for i, b in enumerate(labels):',
  '            for a in labels[i + 1:]:',
  '                d = {k: ts[a][k] - ts[b][k] if None not in (ts[a][k], ts[b][k]) else None for k in ts[a]}',
  '                seeds = [known([d[k] for k in d if k[0] == s]) for s in sorted({k[0] for k in d})]',
  "                pairs[f'{a}|{b}|{metric}|{part}'] = [mean(d), [s for s in seeds if s is not None]]",
  'print(json.dumps({"cells": cells, "pairs": pairs}))',
];

describe('the result of an experiment', () => {
  const SEEDS = [1, 2, 3, 4, 5];
  const full = result(SEEDS);

  it('has the means and differences that another language finds, and the t tests of them', () => {
    const again = byPython<{
      cells: Record<string, number | null>;
      pairs: Record<string, [number | null, number[]]>;
    }>(IN_PYTHON, done(SEEDS));
    if (again === null) return;
    const ofEvaluation = full.cells.filter(({ metric }) => metric !== 'zero-advantage');
    // Pass@1 has no team; all else has two agents, their mean and the team.
    expect(ofEvaluation).toHaveLength(ROWS.length * (3 + 4 + 4 + 4));
    for (const { label, metric, part, agentId, value, low, high, seeds } of ofEvaluation) {
      expect(value).toBeCloseTo(again.cells[`${label}|${metric}|${agentId ?? part}`] ?? Number.NaN, 10);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
      expect(seeds).toBe(5);
    }
    expect(full.pairs).toHaveLength(7 * 15);
    for (const { first, second, metric, part, difference, pSeeds } of full.pairs) {
      const [found, bySeed] = again.pairs[`${first}|${second}|${metric}|${part}`] ?? [null, []];
      expect(difference).toBeCloseTo(found ?? Number.NaN, 10);
      expect(pSeeds).toBeCloseTo(tTestP(bySeed) ?? Number.NaN, 8);
    }
  });

  it('corrects the larger p of each pair, by metric and part', () => {
    const familyOf = ({ metric, part }: ExperimentPair): string => `${metric} ${part}`;
    for (const family of new Set(full.pairs.map(familyOf))) {
      const pairs = full.pairs.filter((pair) => familyOf(pair) === family);
      const larger = pairs.map(({ pProblems, pSeeds }) => Math.max(pProblems, pSeeds ?? 1));
      // By its definition: the smallest of m against level / m, the next against level / (m - 1) ..., until one is not rejected.
      const rejectedAt = (level: number, own: number): boolean =>
        larger
          .toSorted((a, b) => a - b)
          .every((p, rank) => p > own || p * (larger.length - rank) <= level + 1e-12);
      for (const [at, { pHolm }] of pairs.entries()) {
        expect(rejectedAt(pHolm, larger[at] ?? 1) || pHolm === 1).toBe(true);
        expect(rejectedAt(pHolm - 1e-6, larger[at] ?? 1)).toBe(false);
      }
    }
  });

  it('compares a later row with an earlier one', () => {
    expect(full.pairs[0]).toMatchObject({ first: 'Vanilla GRPO', second: 'Base', metric: 'pass@1' });
  });

  it('shows the share of samples without a gradient, of the rows that trained', () => {
    const shares = full.cells.filter(({ metric, part }) => metric === 'zero-advantage' && part === 'alone');
    expect(shares.map(({ label }) => label)).not.toContain('Base');
    expect(shares.find(({ label }) => label === 'Vanilla GRPO')).toMatchObject({ problems: 0, seeds: 5 });
    expect(shares.find(({ label }) => label === 'Vanilla GRPO')?.value).toBeCloseTo(0.75, 12);
  });

  it('puts equal totals next to equal shares', () => {
    expect(full.budgets.find(({ label }) => label === 'RS²')).toMatchObject({
      updatesPerAgent: 100,
      samplesPerAgent: 800,
      samplesTotal: 1_600,
    });
    expect(full.budgets.find(({ label }) => label === 'Half')).toMatchObject({ samplesTotal: 800 });
    expect(full.budgets[0]).toMatchObject({ label: 'Base', samplesTotal: 0 });
    expect(full.sentences.find((one) => one.startsWith('With equal budgets'))).toContain(
      'in Pass@1 of agents alone, Half is',
    );
  });

  it('says which steps of the papers hold, and which not', () => {
    const sentence = full.sentences.find((one) => one.startsWith('In Pass@1 of agents alone'));
    expect(sentence).toContain(
      "the papers' ordering is not confirmed in the 4 of 5 rows that were measured: RS² does not differ significantly from Vanilla GRPO",
    );
    expect(sentence).toMatch(
      /Part of it holds: .*Heter-MARS² is \d+\.\d percentage points above RS² \(95 % CI/,
    );
  });

  it('says each in one line, too, whose kind is what was found', () => {
    const { sentences, chips = [] } = full;
    expect(chips).toHaveLength(sentences.length);
    for (const { text } of chips) expect(text.length).toBeLessThan(170);
    const of = (start: string) => chips[sentences.findIndex((one) => one.startsWith(start))];
    expect(of('The families of pocket policies')).toEqual({ kind: 'limit', text: COMPLEMENT_SHORT });
    expect(of('In Pass@1 of agents alone')?.kind).toBe('no-difference');
    expect(of('Control')).toMatchObject({
      kind: 'difference',
      text: expect.stringMatching(
        /^Control: Heter-MARS² against GRPO, all-wrong groups count: Pass@1\(MCTS\) of the team \+\d+\.\d percentage points$/,
      ),
    });
    expect(result([1, 2]).chips?.map(({ kind }) => kind)).not.toContain('difference');
  });

  it('claims nothing of an order over two seeds, which no test can tell', () => {
    const { sentences } = result([1, 2], done([1, 2], ROWS), ROWS);
    const sentence = sentences.find((one) => one.startsWith('In Pass@1 of agents alone'));
    expect(sentence).toContain(
      'rows that were measured is not tested over so few seeds: Vanilla GRPO minus Base: ',
    );
    expect(sentences.filter((one) => /differ significantly|confirmed/.test(one))).toEqual([]);
  });

  it('says that the ordering is confirmed where it is, and of how many rows', () => {
    const rows = ROWS.filter(
      ([{ method, change }]) =>
        ['base', 'grpo', 'heter-mars2'].includes(method) && change.updates === undefined,
    );
    const { sentences } = result(SEEDS, done(SEEDS, rows), rows);
    expect(sentences[2]).toContain(
      "the papers' ordering is confirmed in the 3 of 5 rows that were measured, Base < Vanilla GRPO < Heter-MARS²: ",
    );
  });

  it('compares the controls with the team', () => {
    const sentence = full.sentences.find((one) => one.startsWith('Control'));
    expect(sentence).toContain(
      'in Pass@1 of agents alone, Heter-MARS² does not differ significantly from GRPO, all-wrong groups count',
    );
    expect(sentence).toMatch(/in Pass@1\(MCTS\) of the team, Heter-MARS² is \d+\.\d percentage points above/);
  });

  it('compares agents alone over those that both rows have', () => {
    const three: MadeUpSkill = { alone: { reader: 0.5, tracer: 0.5, weak: 0.01 }, searched: 0.1, team: 0.5 };
    const two: MadeUpSkill = { alone: { reader: 0.5, tracer: 0.5 }, searched: 0.1, team: 0.5 };
    const rows = [
      [row('Three', 'heter-mars2', { families: [...TWO, 'weak'] }), three, 0.1],
      [row('Two', 'heter-mars2'), two, 0.1],
    ] as const;
    const trained = [1, 2].flatMap((seed) =>
      rows.map(([{ label }, own]) => madeUpTraining(label, seed, own, 0.1)),
    );
    const found = result([1, 2], trained, [...rows]);
    // Of the same seed the strong two are the same; the mean over three agents is far below.
    expect(found.pairs.find(({ metric }) => metric === 'pass@1')).toMatchObject({
      difference: 0,
      pProblems: 1,
    });
    expect(found.sentences.join(' ')).toContain('over the families that both have');
  });

  it('names the limits of one seed', () => {
    const one = result([1]);
    expect(one.sentences.join(' ')).toContain('One seed: the intervals');
    expect(one.pairs.every(({ pSeeds }) => pSeeds === null)).toBe(true);
  });

  it('claims nothing that rests on two seeds', () => {
    const two = result([1, 2]);
    expect(two.pairs.some(({ pProblems }) => pProblems < 0.001)).toBe(true);
    expect(two.pairs.every(({ pHolm }) => pHolm === 1)).toBe(true);
    expect(two.sentences.join(' ')).not.toMatch(/percentage points (above|below)/);
    expect(two.sentences.join(' ')).toContain(
      '2 seeds are too few for the second test, so nothing is claimed.',
    );
  });

  it('says what five seeds can show', () => {
    expect(full.sentences.join(' ')).toContain(
      'A sign-flip test over 5 seeds, which assumes no distribution, cannot go below p = 0.063.',
    );
  });

  it('counts what is done, and says what is not', () => {
    const some = done(SEEDS).slice(0, 8);
    const found = result(SEEDS, some);
    expect(found.complete).toBe(false);
    expect(found.sentences[0]).toMatch(/made to complement each other/);
    expect(found.sentences[1]).toBe('The experiment is not finished: 8 of 30 trainings count so far.');
    expect(result(SEEDS, [])).toMatchObject({ cells: [], pairs: [], budgets: [], complete: false });
  });

  it('is the same for any order of the trainings, and when computed in steps', async () => {
    expect(result(SEEDS, done(SEEDS).reverse())).toEqual(full);
    let steps = 0;
    const yielding = await experimentResultInSteps(
      {
        experimentId: 'e',
        request: requestWith(SEEDS),
        done: done(SEEDS),
        trainingOf: ({ change }) => ({ updates: change.updates ?? 100, batch: 8 }),
      },
      async () => {
        steps += 1;
      },
    );
    expect(yielding).toEqual(full);
    expect(steps).toBeGreaterThan(ROWS.length);
  });

  it('calls itself pocket', () => {
    expect(full.sentences.at(-1)).toMatch(/^Pocket scale: /);
    expect(full.sentences.join(' ')).not.toContain('NaN');
  });
});
