import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type DeskFilling, deskExhibit } from '../../../main/exhibits';
import { exhibitSchema, filledExhibitSchema, type ServerSpec } from '../../../preload/contract';
import {
  agentNames,
  heterogeneousTeam,
  homogeneousTeam,
  replacedModels,
  singleTeam,
  standInSentence,
  standInTextInFull,
} from '../../../preload/contract/plans';

const exhibitOf = (id: string) =>
  exhibitSchema.parse(JSON.parse(readFileSync(`resources/exhibits/${id}.json`, 'utf8')));
const scalingLaw = exhibitOf('scaling-law');

const small = (name: string): ServerSpec => ({
  ...{ kind: 'launch', id: name, model: name, launchId: name, maxInFlight: 1 },
  deskModel: name,
});
const SMOL = small('SmolLM2-135M Q4_1');
const QWEN = small('Qwen3-0.6B');
const filling = (configurationId: string, team = singleTeam(SMOL), scale = 'desk' as const): DeskFilling => ({
  ...{ configurationId, configuration: `my ${configurationId}` },
  runs: [{ scale, team }],
});

describe('an exhibit at desk scale', () => {
  test('has only the rows that runs fill, and names what answered in them', () => {
    const filled = deskExhibit(scalingLaw, [
      filling('single-base'),
      filling('homogeneous-base', homogeneousTeam(SMOL)),
    ]);
    if (!filled.ok) throw new Error(filled.error);
    const exhibit = filled.value;
    expect(filledExhibitSchema.shape.exhibit.parse(exhibit)).toEqual(exhibit);
    expect(exhibit.rows.map(({ id }) => id)).toEqual(['single-base', 'homogeneous-base']);
    expect(exhibit.configurations.map(({ id }) => id)).toEqual(['single-base', 'homogeneous-base']);
    expect(exhibit.series.map(({ configuration }) => configuration)).toEqual([
      'single-base',
      'homogeneous-base',
    ]);
    expect(exhibit.cells).toHaveLength(4);
    expect([
      agentNames(exhibit, 'desk', exhibit.models.slice(0, 1)),
      replacedModels('desk', exhibit.models),
    ]).toEqual(['SmolLM2-135M Q4_1', 'Nemotron-32B']);
    expect(standInSentence(exhibit, 'desk')).toBe(
      'Small language models answer here in the place of larger ones: SmolLM2-135M Q4_1 in the place of Nemotron-32B.',
    );
  });

  test("names a row after the small model, with the paper's behind it, and leaves other models alone", () => {
    const filled = deskExhibit(exhibitOf('homogeneous'), [filling('qwen3-8b-base')]);
    if (!filled.ok) throw new Error(filled.error);
    expect(standInTextInFull(filled.value, 'desk', 'Qwen3-8B and AReaL-8B')).toBe(
      'SmolLM2-135M Q4_1, in the place of Qwen3-8B and AReaL-8B',
    );
    expect(standInTextInFull(filled.value, 'pocket', 'Qwen3-8B')).toBe('reader, in the place of Qwen3-8B');
  });

  test('has a model for each of a team, in their order', () => {
    const filled = deskExhibit(scalingLaw, [filling('heterogeneous-base', heterogeneousTeam([SMOL, QWEN]))]);
    expect(filled.ok && agentNames(filled.value, 'desk', filled.value.models)).toBe(
      'SmolLM2-135M Q4_1 + Qwen3-0.6B',
    );
  });

  const own = 'own' as unknown as 'desk';
  test.each<[string, readonly DeskFilling[], RegExp]>([
    ['an unknown row', [filling('nothing')], /has no configuration "nothing".*single-base/],
    ['a trained row', [filling('single-trained')], /is trained by Vanilla GRPO, and a study trains nothing/],
    ['no run', [{ ...filling('single-base'), runs: [] }], /The study has no configuration "my single-base"/],
    ['runs of another scale', [filling('single-base', singleTeam(SMOL), own)], /is of scale own/],
    [
      'a single agent for two roles',
      [filling('homogeneous-base')],
      /1 model and 2 agents, .* 1 model and 1 agent/,
    ],
    [
      'two models for one',
      [filling('single-base', heterogeneousTeam([SMOL, QWEN]))],
      /has 2 models and 2 agents/,
    ],
    [
      'two models in the place of one',
      [filling('single-base'), filling('homogeneous-base', homogeneousTeam(QWEN))],
      /SmolLM2-135M Q4_1 and Qwen3-0.6B cannot both stand for nemotron-32b/,
    ],
  ])('is refused for %s', (_name, fillings, message) => {
    const filled = deskExhibit(scalingLaw, fillings);
    expect(filled.ok ? '' : filled.error).toMatch(message);
  });
});
