import type { AgentChoice, Library } from './agents';

export const READER: AgentChoice = { kind: 'pocket', family: 'reader' };
export const TRACER: AgentChoice = { kind: 'pocket', family: 'tracer' };
export const NO_MODEL: AgentChoice = { kind: 'url', baseUrl: '', model: '' };

/** The agent to add to a team: the first available one that is not in it yet. */
export function nextAgent(team: readonly AgentChoice[], benchmarkId: string, library: Library): AgentChoice {
  const benchmark = library.benchmarks.find(({ id }) => id === benchmarkId);
  const choices: readonly AgentChoice[] = [
    ...library.recordings
      .filter((recording) => recording.benchmarkId === benchmarkId)
      .map(({ id }): AgentChoice => ({ kind: 'recorded', recordingId: id })),
    ...(benchmark?.scale === 'pocket' ? [READER, TRACER] : []),
  ];
  const key = ({ details: _details, ...choice }: AgentChoice): string => JSON.stringify(choice);
  const taken = new Set(team.map(key));
  return choices.find((choice) => !taken.has(key(choice))) ?? NO_MODEL;
}
