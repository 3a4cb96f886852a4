import type { ExperimentOrder } from '../../preload/contract/experiment';
import type { Answer } from '../../preload/contract/refusal';
import type { PocketTraining } from '../../preload/contract/training-spec';
import {
  LOCAL_MACHINE,
  type Loadable,
  mapLoadable,
  useAnswerOf,
  useMachine,
  useWorkbench,
} from '../state/index';
import { trainingsOfSeed } from './experiment-draft';

/**
 * Seconds of the whole experiment, from what earlier trainings took; ready with null: nothing to go by. Null while the
 * form has faults.
 */
export function useEstimate(order: ExperimentOrder | null): Loadable<number | null> | null {
  const { client } = useWorkbench();
  // As many trainings go on side by side as there are cores.
  const sideBySide = Math.max(1, useMachine(LOCAL_MACHINE)?.facts?.cores ?? 1);
  const secondsOfSeed = async (specs: readonly PocketTraining[]): Promise<Answer<number | null>> => {
    const answers = await Promise.all(
      specs.map((spec) =>
        client.call('training.plan', {
          order: { name: 'estimate', machineId: LOCAL_MACHINE, spec },
          look: false,
        }),
      ),
    );
    let total: number | null = 0;
    for (const answer of answers) {
      if (!answer.ok) return answer;
      const { estimateSeconds } = answer.value;
      total = total === null || estimateSeconds === null ? null : total + estimateSeconds;
    }
    return { ok: true, value: total };
  };
  // Seeds only repeat: the same rows take the same time, so each is asked for once.
  const ofSeed = useAnswerOf(order === null ? null : trainingsOfSeed(order), secondsOfSeed);
  if (ofSeed === null || order === null) return null;
  const times = order.seeds.length / sideBySide;
  return mapLoadable(ofSeed, (seconds) => (seconds === null ? null : seconds * times));
}
