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
  readonly check: () => void;
};

/** Main's plan for a request; null while the form has errors. */
export function useTrainingPlan(request: TrainingRequest | null): Loadable<TrainingPlan> | null {
  const { client } = useWorkbench();
  return useDebouncedQuery(request, (value) =>
    client.call('training.plan', { request: value, check: false }),
  );
}

/** Checks the machine on demand. The result is valid until the request changes. */
export function useMachineCheck(request: TrainingRequest | null): MachineCheck {
  const { client } = useWorkbench();
  const [checked, setChecked] = useState<{
    readonly key: string;
    readonly plan: TrainingPlan | null;
    readonly refusal: Refusal | null;
  } | null>(null);
  const [busy, setBusy] = useState(false);
  const key = request === null ? null : JSON.stringify(request);
  const isCurrent = checked !== null && checked.key === key;
  return {
    plan: isCurrent ? checked.plan : null,
    refusal: isCurrent ? checked.refusal : null,
    busy,
    check: () => {
      if (request === null || key === null || busy) return;
      setBusy(true);
      void client.call('training.plan', { request, check: true }).then((answer) => {
        setBusy(false);
        setChecked(
          answer.ok ? { key, plan: answer.value, refusal: null } : { key, plan: null, refusal: answer.error },
        );
      });
    },
  };
}
