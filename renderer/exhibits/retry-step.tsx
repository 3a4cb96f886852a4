import { Button } from '@mantine/core';
import type { ReproductionView } from '../../preload/contract/reproduction';
import { useWorkbench } from '../state/index';
import { usePress } from '../widgets/index';

/** Tries a failed step again, and what waited for it. */
export function RetryStep(props: {
  readonly reproduction: ReproductionView;
  readonly stepId: string;
  readonly title: string;
}) {
  const { reproduction, stepId, title } = props;
  const { reproductions } = useWorkbench();
  const { busy, press } = usePress(() => reproductions.retry(reproduction.id, stepId));
  if (reproduction.readOnly) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={busy}
      aria-label={`Try again: ${title}`}
      title={title}
      onClick={press}
    >
      Try again
    </Button>
  );
}
