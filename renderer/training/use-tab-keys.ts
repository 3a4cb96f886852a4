import { useHotkeys } from '@mantine/hooks';
import { TRAINING_TABS, useWorkbench } from '../state/index';

/** The digits go to the parts of a training, from the first on. */
export function useTabKeys(trainingId: string): void {
  const { location } = useWorkbench();
  useHotkeys(
    TRAINING_TABS.map((tab, at) => [
      String(at + 1),
      () => location.go({ kind: 'training', trainingId, tab }, { replace: true }),
    ]),
  );
}
