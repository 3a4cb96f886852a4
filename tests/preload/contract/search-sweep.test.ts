import { describe, expect, it } from 'vitest';
import { commands, PLAIN_SEARCH, type SearchOptions, type Strategy } from '../../../preload/contract';
import {
  mars2Search,
  pocketServer,
  STRATEGIES,
  searchSweepSettings,
  sweptConfigurations,
  teamOfMembers,
} from '../../../preload/contract/plans';

const searchBy = (strategy: Strategy): SearchOptions => ({
  ...PLAIN_SEARCH,
  ...{ strategy, nodes: 24, batch: 1, score: 'fraction', tie: 'earliest', samplesPerAgent: 8 },
});
const MCTS = searchBy(STRATEGIES.mcts.defaults);
const AB = searchBy(STRATEGIES['ab-mcts-a'].defaults);
const team = teamOfMembers([{ server: pocketServer('reader') }]);
if (team === null) throw new Error('One agent is a team');
const ALONE = { configuration: 'alone', team };

describe('several values of a search', () => {
  it('are a configuration for each combination, named by them, as a study takes them', () => {
    const fields = [
      { id: 'exploration', values: ['0.5', '3'] },
      { id: 'samples', values: ['1', '2'] },
      { id: 'nodes', values: ['60'] },
    ];
    const read = sweptConfigurations([ALONE], MCTS, fields);
    const configurations = read.ok ? read.value : [];
    expect(configurations.map(({ configuration }) => configuration)).toEqual([
      'alone, exploration 0.5, samples 1, nodes 60',
      'alone, exploration 0.5, samples 2, nodes 60',
      'alone, exploration 3, samples 1, nodes 60',
      'alone, exploration 3, samples 2, nodes 60',
    ]);
    const payload = { name: 's', benchmarkId: 'b', configurations, search: MCTS, seeds: [1] };
    const taken = commands['study.create'].payload.parse(payload).configurations;
    expect(taken[2]?.search).toEqual({ strategy: { kind: 'mcts', samples: 1, exploration: 3 }, nodes: 60 });
  });

  it('without any are the configurations as they are', () => {
    expect(sweptConfigurations([ALONE], MCTS, [])).toEqual({ ok: true, value: [ALONE] });
  });

  it('change the strategy that a configuration has of its own', () => {
    const own = { ...ALONE, search: { strategy: STRATEGIES['bandit-ucb'].defaults } };
    const read = sweptConfigurations([own], AB, [{ id: 'exploration', values: ['2'] }]);
    expect(read.ok && read.value[0]?.search).toEqual({ strategy: { kind: 'bandit-ucb', exploration: 2 } });
  });

  it.each(Object.values(STRATEGIES).map(({ defaults }) => [defaults.kind, defaults] as const))(
    'can be of every option of %s',
    (_kind, strategy) => {
      const settings = searchSweepSettings({ strategy });
      const own = Object.keys(STRATEGIES[strategy.kind].options);
      expect(settings.map(({ id }) => id)).toEqual([...own, 'nodes', 'score', 'tie', 'feedback']);
    },
  );

  it.each([
    [
      MCTS,
      'beliefs',
      ['beta'],
      '"alone" searches with MCTS (UCT), which has no "Beliefs" (beliefs). It can vary: "Programs per agent" (samples), "Exploration weight"',
    ],
    [mars2Search({ nodes: 24, samplesPerAgent: 8 }), 'exploration', ['1'], 'searches with MARS²-T, which'],
    [MCTS, 'weight', ['1'], 'These can: samples, exploration, nodes, score, tie, feedback.'],
    [
      MCTS,
      'exploration',
      ['-1'],
      '"Exploration weight" (exploration) takes a number from 0 to 100, not "-1".',
    ],
    [MCTS, 'exploration', [''], 'not "".'],
    [MCTS, 'samples', ['1.5'], '(samples) takes a whole number from 1 to 64, not "1.5".'],
    [AB, 'selection', ['best'], '(selection) must be one of thompson, ucb, stack, not "best".'],
    [AB, 'depthGuidance', ['yes'], 'must be one of off, on'],
    [MCTS, 'nodes', Array.from({ length: 51 }, (_, at) => String(at + 1)), 'More than 50 combinations'],
  ] as const)('are refused with the reason (%#)', (search, id, values, message) => {
    const read = sweptConfigurations([ALONE], search, [{ id, values: [...values] }]);
    expect(read.ok ? '' : read.problem.message).toContain(message);
  });

  it('of several configurations are at most 50', () => {
    const fields = [{ id: 'nodes', values: Array.from({ length: 26 }, (_, at) => String(at + 1)) }];
    const read = sweptConfigurations([ALONE, { ...ALONE, configuration: 'b' }], MCTS, fields);
    expect(read.ok ? '' : read.problem.message).toContain('52 configurations; a study has at most 50.');
  });
});
