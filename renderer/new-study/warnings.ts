import { STRATEGIES } from '../../preload/contract/plans/index';
import type { Benchmark, Recording } from '../../preload/contract/problem';
import type { SearchOptions } from '../../preload/contract/strategy';
import { agentName, type Library, memberOf } from './agents';
import type { Warning } from './check-study';
import { presetNamed } from './method-draft';
import type { ConfigurationDraft, StudyDraft } from './study-draft';

type Context = {
  readonly draft: StudyDraft;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly search: SearchOptions;
  readonly problems: number;
  readonly seeds: readonly number[];
  readonly programs: number | null;
};

/** Below this the 95 % interval of a rate is wider than most differences that one hopes to see. */
const FEW_PROBLEMS = 20;
/** Some hours of work on a laptop. */
const MANY_PROGRAMS = 500_000;

/** What will run, but perhaps not as meant. */
export function warningsOf(context: Context): readonly Warning[] {
  return [
    ...searchWarnings(context),
    ...context.draft.configurations.flatMap((row) => agentWarnings(row, context)),
    ...studyWarnings(context),
  ];
}

function searchWarnings({ search }: Context): Warning[] {
  const { strategy, nodes, batch, samplesPerAgent } = search;
  const warnings: Warning[] = [];
  const refines = !STRATEGIES[strategy.kind].firstAttemptsOnly;
  if (refines && nodes === 1) {
    warnings.push({ at: 'nodes', message: 'A tree of one node refines nothing.' });
  }
  if (batch > nodes) {
    warnings.push({ at: 'batch', message: `Only ${nodes} of them have a place in the tree.` });
  } else if (batch > 1) {
    const message =
      search.order === 'arrival'
        ? 'Told as they come: the same seed may give another tree.'
        : 'Quicker; the beliefs of a batch are as old as its first trial, so trees grow wider.';
    warnings.push({ at: 'batch', message });
  }
  if (samplesPerAgent === 0 && strategy.kind !== 'repeated') {
    warnings.push({ at: 'samplesPerAgent', message: 'Without them Pass@1 and pass@k cannot be told.' });
  }
  return warnings;
}

function agentWarnings(row: ConfigurationDraft, context: Context): Warning[] {
  const { benchmark, library } = context;
  return row.agents.flatMap((agent, at): Warning[] => {
    const say = (message: string): Warning => ({ at: `${row.key} agent ${at}`, message });
    if (agent.kind === 'pocket' && benchmark.scale !== 'pocket') {
      return [say('The pocket policies know pocket problems alone; here they will solve next to none.')];
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
      `No samples for ${missing} of the ${benchmark.problems} problems; the study stops when it comes to one.`,
    ];
  }
  const warnings: string[] = [];
  const has =
    fewestSamples === mostSamples
      ? `${fewestSamples} samples a problem`
      : `as few as ${fewestSamples} samples for a problem`;
  const { nodes, samplesPerAgent, strategy } = search;
  if (agents === 1 && nodes > fewestSamples) {
    warnings.push(`It has ${has}: a tree ends after ${fewestSamples} of ${nodes} nodes.`);
  } else if (strategy.kind === 'repeated' && Math.ceil(nodes / agents) > fewestSamples) {
    warnings.push(`It has ${has}: this agent stops after them, the others go on alone.`);
  } else if (strategy.kind !== 'repeated' && nodes > fewestSamples) {
    warnings.push(`It has ${has}: chosen more often, it drops out and the others go on.`);
  }
  if (samplesPerAgent > fewestSamples) {
    warnings.push(`It has ${has}, not the ${samplesPerAgent} independent samples asked for.`);
  }
  if (!STRATEGIES[strategy.kind].firstAttemptsOnly && recording.refinements === 0) {
    warnings.push('It holds no refinements: below a node it gives its next sample, whatever stands there.');
  }
  return warnings;
}

function studyWarnings({ draft, library, problems, seeds, programs }: Context): Warning[] {
  const warnings: Warning[] = [];
  const say = (message: string): void => {
    warnings.push({ at: 'study', message });
  };
  const { configurations } = draft;
  if (presetNamed(draft.preset).method.guided && draft.method.reward === 'none') {
    say(
      `${presetNamed(draft.preset).name} is meant to have a reward model; without one ties go by the rule.`,
    );
  }
  if (draft.stopWhenSolved) {
    say('Trees that end early make Pass@n curves flat from there: compare them with care.');
  }
  if (configurations.length === 1) say('One configuration alone is measured, but compared with nothing.');
  const twins = configurations.flatMap((row, at) =>
    configurations.slice(0, at).some((other) => sameTeam(row, other))
      ? [row.agents.map((agent) => agentName(agent, library)).join(' + ')]
      : [],
  );
  if (twins[0] !== undefined) say(`Two configurations are the same team (${twins[0]}).`);
  if (problems < FEW_PROBLEMS) {
    say(
      `With ${problems === 1 ? '1 problem' : `${problems} problems`} the intervals are too wide to tell teams apart.`,
    );
  }
  const replayed = configurations.every(({ agents }) => agents.every(({ kind }) => kind === 'recorded'));
  if (seeds.length > 1 && replayed && configurations.length > 0) {
    say('Another seed only draws the same recorded samples in another order.');
  }
  if (programs !== null && programs > MANY_PROGRAMS) {
    say('This is many hours of grading; try it with the first few problems before.');
  }
  return warnings;
}

/** The same members, searching by the same preset. */
function sameTeam(a: ConfigurationDraft, b: ConfigurationDraft): boolean {
  const members = ({ agents }: ConfigurationDraft) => agents.map((_, at) => memberOf(agents, at));
  return a.preset === b.preset && JSON.stringify(members(a)) === JSON.stringify(members(b));
}
