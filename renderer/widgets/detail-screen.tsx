import type { ReactNode } from 'react';
import { Screen } from './screen';
import { EmptyState, FailedState, LoadingState } from './states';

/** A value of main; null if it does not exist. */
type Loadable<T> =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'failed';
      readonly error: { readonly message: string; readonly hint?: string | undefined };
    }
  | { readonly kind: 'ready'; readonly value: T | null };

/** The screen of one object: loading, failed, not found, or its content. */
export function DetailScreen<T>(props: {
  /** What it is, e.g. "study". */
  readonly noun: string;
  readonly loadable: Loadable<T>;
  readonly reload: () => void;
  /** Link to the list. */
  readonly list: { readonly label: string; readonly href: string };
  /** Why it may be missing. */
  readonly missingHint: string;
  readonly children: (value: T) => ReactNode;
}) {
  const { noun, loadable: sought, list: all, missingHint: gone, children } = props;
  if (sought.kind === 'loading') return <LoadingState text={`Loading the ${noun}`} />;
  if (sought.kind === 'ready' && sought.value !== null) return children(sought.value);
  return (
    <Screen title={noun.charAt(0).toUpperCase() + noun.slice(1)}>
      {sought.kind === 'failed' ? (
        <FailedState
          title={`The ${noun} could not be read`}
          message={sought.error.message}
          hint={sought.error.hint}
          action={{ label: 'Try again', run: props.reload }}
        />
      ) : (
        <EmptyState
          title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`}
          action={<a href={all.href}>{all.label}</a>}
        >
          {gone}
        </EmptyState>
      )}
    </Screen>
  );
}
