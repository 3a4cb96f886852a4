import type { RunConfig, RunEvent, SearchOptions, Study } from '../../../preload/contract';
import { PRESETS } from '../../../preload/contract/plans';
import { sampleStudy } from '../sample-study';

type Row = { readonly configuration: string; readonly search?: Partial<SearchOptions> };

/** The sample's study with other rows: each has the team of one of the three that the sample has. */
function withRows(study: Study, rows: readonly Row[]): Study {
  return {
    ...study,
    runs: rows.flatMap(({ configuration, search }, at): RunConfig[] => {
      const model = study.runs[at % study.runs.length];
      if (model === undefined) return [];
      return [
        {
          ...model,
          id: `${study.id}.${configuration}.1`,
          configuration,
          search: { ...model.search, ...search },
        },
      ];
    }),
  };
}

function preset(id: string): Partial<SearchOptions> {
  const found = PRESETS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`No preset ${id}`);
  const { guided, ...method } = found.method;
  return {
    ...method,
    rewardModel: guided ? { source: { kind: 'pocket', seed: 1 }, use: 'choice', weight: 0.2 } : null,
  };
}

/** As many rows and problems as the lab's largest study; small trees, because only the squares are looked at. */
export function largeStudy(): Study {
  const study = sampleStudy({ name: 'All teams and strategies', problems: 175, nodes: 6 });
  const names = ['Qwen3-8B', 'DeepCoder-14B', 'Qwen3-8B + DeepCoder-14B', 'AReaL-boba-14B'];
  const ways = ['repeated', 'mcts', 'ab-mcts-a', 'mars2-t', 'mars2-t-plus'];
  const rows = names.flatMap((name) =>
    ways.map((way) => ({
      configuration: `${name}, ${PRESETS.find(({ id }) => id === way)?.name ?? way}`,
      search: { ...preset(way), samplesPerAgent: 1 },
    })),
  );
  return withRows(study, rows);
}

/** A hundred configurations of five seeds: 500 runs; few small trees, because their number is what is looked at. */
export function manyRuns(): Study {
  const seeds = [1, 2, 3, 4, 5];
  const study = sampleStudy({ name: 'Five hundred runs', problems: 40, nodes: 4 });
  const rows = Array.from({ length: 100 }, (_, at) => ({
    configuration: `team ${Math.floor(at / 10) + 1}, temperature ${((at % 10) / 10 + 0.1).toFixed(1)}`,
  }));
  const once = withRows(study, rows);
  return {
    ...once,
    runs: once.runs.flatMap((run) =>
      seeds.map((seed) => ({ ...run, id: `${study.id}.${run.configuration}.${seed}`, seed })),
    ),
  };
}

/** MARS²-T+ and what is left of it without each of its parts. */
export function ablationStudy(createdAt: string): Study {
  const study = sampleStudy({ name: 'MARS²-T+, part by part', createdAt });
  const whole = preset('mars2-t-plus');
  const budget = { treeBudget: { tokens: 20_000, seconds: null }, grading: 'as-published' } as const;
  return withRows(study, [
    { configuration: 'MARS²-T+', search: { ...whole, ...budget } },
    { configuration: 'without feedback', search: { ...whole, ...budget, feedback: 'verdicts' } },
    { configuration: 'without the reward model', search: { ...whole, ...budget, rewardModel: null } },
    { configuration: 'MARS²-T', search: { ...preset('mars2-t'), ...budget } },
  ]);
}

/** Rewards, cut answers, and verdicts that depend on the reading, here and there. */
export function withOddities(event: RunEvent): RunEvent {
  if (event.kind === 'node-added') {
    return {
      ...event,
      reward: Math.round(Math.sin(event.generationSeed) * 300) / 100,
      answerEnd: event.index % 7 === 3 ? 'length' : event.index % 11 === 5 ? 'empty' : 'stop',
    };
  }
  if (event.kind === 'node-graded' && event.index % 9 === 0 && event.privateVerdict !== 'passed') {
    return { ...event, otherVerdict: 'passed' };
  }
  return event;
}
