import { useState } from 'react';
import type { Refusal } from '../../preload/contract/refusal';
import type { TrainingPlan } from '../../preload/contract/training';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import { type Loadable, useDebouncedQuery, useWorkbench } from '../state/index';

export type MachineCheck = {
  /** Result of the last check for exactly this request; null: not checked. */
  readonly plan: TrainingPlan | null;
  readonly refusal: Refusal | null;
  readonly busy: boolean;
  readonly look: () => void;
};

/** Main's plan for a request; null while the form has errors. */
export function useTrainingPlan(order: TrainingRequest | null): Loadable<TrainingPlan> | null {
  const { client } = useWorkbench();
  return useDebouncedQuery(order, (one) => client.call('training.plan', { order: one, look: false }));
}

/** Checks the machine on demand. The result is valid until the request changes. */
export function useMachineCheck(order: TrainingRequest | null): MachineCheck {
  const { client } = useWorkbench();
  const [checked, setChecked] = useState<{
    readonly key: string;
    readonly plan: TrainingPlan | null;
    readonly refusal: Refusal | null;
  } | null>(null);
  const [busy, setBusy] = useState(false);
  const key = order === null ? null : JSON.stringify(order);
  const isCurrent = checked !== null && checked.key === key;
  return {
    plan: isCurrent ? checked.plan : null,
    refusal: isCurrent ? checked.refusal : null,
    busy,
    look: () => {
      if (order === null || key === null || busy) return;
      setBusy(true);
      void client.call('training.plan', { order, look: true }).then((answer) => {
        setBusy(false);
        setChecked(
          answer.ok ? { key, plan: answer.value, refusal: null } : { key, plan: null, refusal: answer.error },
        );
      });
    },
  };
}
