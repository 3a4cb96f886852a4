import { useEffect, useRef, useState } from 'react';
import { useWorkbench } from '../state/index';
import { EMPTY_MODEL, type ModelDraft } from './model-draft';

/**
 * Fills in the Python of the environment that was prepared on the machine, once per machine, where the form still has its
 * default. `machineId` null: not a training of language models, or no machine yet.
 */
export function usePreparedPython(
  machineId: string | null,
  model: ModelDraft,
  onChange: (model: ModelDraft) => void,
): void {
  const { client } = useWorkbench();
  const [prepared, setPrepared] = useState<{ readonly machineId: string; readonly python: string } | null>(
    null,
  );
  const filledFor = useRef<string | null>(null);
  useEffect(() => {
    if (machineId === null) return;
    let isOver = false;
    void client.call('machine.learner', { machineId }).then((answer) => {
      const python = answer.ok ? answer.value.python : null;
      if (!isOver && python !== null) setPrepared({ machineId, python });
    });
    return () => {
      isOver = true;
    };
  }, [client, machineId]);
  useEffect(() => {
    if (prepared === null || prepared.machineId !== machineId || filledFor.current === machineId) return;
    filledFor.current = machineId;
    if (model.python === EMPTY_MODEL.python) onChange({ ...model, python: prepared.python });
  }, [prepared, machineId, model, onChange]);
}
