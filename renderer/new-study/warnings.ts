import { MAX_SEEDS, STRATEGIES } from '../../preload/contract/plans/index';
import type { Benchmark, Recording } from '../../preload/contract/problem';
import type { SearchOptions } from '../../preload/contract/strategy';
import { agentName, isPocketPolicy, type Library, memberOf } from '../shared/agents/index';
import { plural } from '../widgets/index';
import { equalSettings } from './equal-settings';
import type { Warning } from './field-errors';
import { presetNamed } from './method-draft';
import type { ConfigurationDraft, StudyDraft } from './study-draft';

/** Problems without public tests among those that are chosen as long as none of them is left out for that. */
export type ProblemsWithoutTests = { readonly problems: number; readonly of: number };

type Context = {
  readonly draft: StudyDraft;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly search: SearchOptions;
  readonly problems: number;
  readonly untested: ProblemsWithoutTests;
  readonly seeds: readonly number[];
  readonly programs: number | null;
};

/** Below this the 95 % interval of a rate is wider than most differences of interest. */
const FEW_PROBLEMS = 20;
/** Several hours on a laptop. */
const MANY_PROGRAMS = 500_000;

/** Warnings: the study can run, but perhaps not as intended. */
export function warningsOf(context: Context): readonly Warning[] {
  return [
    ...searchWarnings(context),
    ...seedWarnings(context),
    ...context.draft.configurations.flatMap((row) => agentWarnings(row, context)),
    ...studyWarnings(context),
  ];
}

function searchWarnings({ search }: Context): Warning[] {
  const { strategy, nodes, batch, samplesPerAgent } = search;
  const warnings: Warning[] = [];
  const refines = !STRATEGIES[strategy.kind].firstAttemptsOnly;
  if (refines && nodes === 1) {
    warnings.push({ at: 'nodes', message: 'With one node per tree nothing is refined.' });
  }
  if (batch > nodes) {
    warnings.push({ at: 'batch', message: `A tree has only ${plural(nodes, 'node')}.` });
  } else if (batch > 1) {
    const message =
      search.order === 'arrival'
        ? 'On arrival: the same seed may give a different tree.'
        : 'Faster, but all trials of a batch use the estimates from its start, so trees grow wider.';
    warnings.push({ at: 'batch', message });
  }
  if (samplesPerAgent === 0 && strategy.kind !== 'repeated') {
    warnings.push({ at: 'samplesPerAgent', message: 'Without samples there is no Pass@1 or pass@k.' });
  }
  return warnings;
}

function agentWarnings(row: ConfigurationDraft, context: Context): Warning[] {
  const { benchmark, library } = context;
  return row.agents.flatMap((agent, at): Warning[] => {
    const say = (message: string): Warning => ({ at: `${row.key} agent ${at}`, message });
    if (isPocketPolicy(agent) && benchmark.scale !== 'pocket') {
      return [
        say('Pocket policies are trained on pocket problems only; they will solve almost none of these.'),
      ];
    }
    if (agent.kind !== 'recorded') return [];
    const recording = library.recordings.find(({ id }) => id === agent.recordingId);
    if (recording?.benchmarkId !== benchmark.id) return [];
    return recordingWarnings(recording, row.agents.length, context).map(say);
  });
}

function recordingWarnings(recording: Recording, agents: number, { search, benchmark }: Context): string[] {
  const { fewestSamples, mostSamples, problems } = recording;
  const missing = benchmark.problems - problems;
  if (missing > 0) {
    return [
      `No samples for ${missing} of the ${plural(benchmark.problems, 'problem')}; the study stops at the first of them.`,
    ];
  }
  const warnings: string[] = [];
  const has =
    fewestSamples === mostSamples
      ? `${plural(fewestSamples, 'sample')} per problem`
      : `as few as ${plural(fewestSamples, 'sample')} for some problems`;
  const { nodes, samplesPerAgent, strategy } = search;
  if (agents === 1 && nodes > fewestSamples) {
    warnings.push(`It has ${has}: a tree ends after ${fewestSamples} of ${plural(nodes, 'node')}.`);
  } else if (strategy.kind === 'repeated' && Math.ceil(nodes / agents) > fewestSamples) {
    warnings.push(`It has ${has}: this agent then stops, the others continue.`);
  } else if (strategy.kind !== 'repeated' && nodes > fewestSamples) {
    warnings.push(`It has ${has}: if selected more often, it drops out and the others continue.`);
  }
  if (samplesPerAgent > fewestSamples) {
    warnings.push(`It has ${has}, not the ${plural(samplesPerAgent, 'independent sample')} requested.`);
  }
  if (!STRATEGIES[strategy.kind].firstAttemptsOnly && recording.refinements === 0) {
    warnings.push(
      'It has no refinements: to refine a node it returns its next sample, whatever the node contains.',
    );
  }
  return warnings;
}

/** A lone number is often meant as how many seeds. */
function seedWarnings({ seeds }: Context): Warning[] {
  const [only, ...more] = seeds;
  if (only === undefined || only < 2 || more.length > 0) return [];
  const instead = only <= MAX_SEEDS ? ` For ${only} seeds enter 1-${only}.` : '';
  return [{ at: 'seeds', message: `One run per configuration, with seed ${only}.${instead}` }];
}

function studyWarnings({
  draft,
  search,
  benchmark,
  library,
  problems,
  untested,
  seeds,
  programs,
}: Context): Warning[] {
  const warnings: Warning[] = [];
  const say = (message: string): void => {
    warnings.push({ at: 'study', message });
  };
  const { configurations } = draft;
  if (presetNamed(draft.preset).method.guided && draft.method.reward === 'none') {
    say(`${presetNamed(draft.preset).name} uses a reward model; without one the tie-breaking rule decides.`);
  }
  if (untested.problems > 0 && !draft.needsPublicTests) {
    const have = untested.problems === 1 ? 'has' : 'have';
    const all = untested.of === benchmark.problems ? '' : ' chosen';
    say(
      `${untested.problems} of the ${plural(untested.of, 'problem')}${all} of ${benchmark.name} ${have} no public tests: every score there is 0, so ${search.strategy.kind === 'repeated' ? 'the rule for ties alone chooses the answer' : 'nothing guides the search'}. You can leave ${untested.problems === 1 ? 'it' : 'them'} out under "Problems".`,
    );
  }
  if (draft.stopWhenSolved) {
    say('Trees that end early flatten the Pass@n curves: compare them with care.');
  }
  if (configurations.length === 1) say('With one configuration there is nothing to compare.');
  const twins = configurations.flatMap((row, at) =>
    configurations.slice(0, at).some((other) => sameTeam(row, other))
      ? [row.agents.map((agent) => agentName(agent, library)).join(' + ')]
      : [],
  );
  if (twins.length > 0) {
    const some = twins.length === 1 ? 'Two' : 'Several';
    say(`${some} configurations have the same team (${[...new Set(twins)].join('; ')}).`);
  }
  if (problems < FEW_PROBLEMS) {
    say(
      `With ${problems === 1 ? '1 problem' : `${problems} problems`} the intervals are too wide to show differences between teams.`,
    );
  }
  const replayed = configurations.every(({ agents }) => agents.every(({ kind }) => kind === 'recorded'));
  if (seeds.length > 1 && replayed && configurations.length > 0) {
    say('With recordings, further seeds only reorder the same samples.');
  }
  if (programs !== null && programs > MANY_PROGRAMS) {
    say('This takes many hours of grading; try the first few problems first.');
  }
  return warnings;
}

/** The same members and search. */
function sameTeam(a: ConfigurationDraft, b: ConfigurationDraft): boolean {
  const members = ({ agents }: ConfigurationDraft) => agents.map((_, at) => memberOf(agents, at));
  const search = ({ preset, keeps }: ConfigurationDraft) => ({ preset, keeps });
  return equalSettings(search(a), search(b)) && JSON.stringify(members(a)) === JSON.stringify(members(b));
}
