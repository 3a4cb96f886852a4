import type { Refusal } from '../../preload/contract/refusal';
import { useWorkbench } from '../state/index';
import { FailedState, LoadingState, Screen } from '../widgets/index';

/** Shown while the machines load, or if they could not be read. */
export function MachinesNotReady(props: {
  readonly title: string;
  readonly machines: { readonly kind: 'loading' } | { readonly kind: 'failed'; readonly error: Refusal };
}) {
  const { machines: store } = useWorkbench();
  if (props.machines.kind === 'loading') return <LoadingState text="Loading the machines" />;
  const { message, hint } = props.machines.error;
  return (
    <Screen title={props.title}>
      <FailedState
        title="The machines could not be read"
        message={message}
        hint={hint}
        action={{ label: 'Try again', run: () => void store.load() }}
      />
    </Screen>
  );
}
