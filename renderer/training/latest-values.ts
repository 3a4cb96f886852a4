import type { TrainingView } from '../../preload/contract/training';
import { curveKey, valueWords } from '../state/index';

type LatestValue = {
  readonly agentId: string | null;
  readonly agent: string;
  /** Its position in the team: decides its shape and colour; null: of no agent. */
  readonly position: number | null;
  readonly value: number;
  readonly words: string;
};

/** The latest value of this quantity, one an agent in their order; of no agent where only that is known. */
export function latestOf(
  { latest, agents }: Pick<TrainingView, 'latest' | 'agents'>,
  key: string,
): readonly LatestValue[] {
  const { unit } = curveKey(key);
  const known = latest.filter((one) => one.key === key);
  const ofAgents = agents.flatMap(({ id, name }, position) => {
    const found = known.find(({ agentId }) => agentId === id);
    return found === undefined
      ? []
      : [{ agentId: id, agent: name, position, value: found.value, words: valueWords(unit, found.value) }];
  });
  if (ofAgents.length > 0) return ofAgents;
  const ofNone = known.find(({ agentId }) => agentId === null);
  return ofNone === undefined
    ? []
    : [
        {
          agentId: null,
          agent: 'the run',
          position: null,
          value: ofNone.value,
          words: valueWords(unit, ofNone.value),
        },
      ];
}
