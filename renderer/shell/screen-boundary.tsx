import { Component, type ReactNode } from 'react';
import { FailedState, PartNotLoadedError } from '../widgets/index';

/** A screen that breaks does not take the app with it: the rail, the status bar and the work continue. */
export class ScreenBoundary extends Component<
  {
    readonly path: string;
    readonly onCrash: (about: string, error: Error) => void;
    readonly onReport: () => void;
    readonly children: ReactNode;
  },
  { readonly error: Error | null }
> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onCrash(this.props.path, error instanceof Error ? error : new Error(String(error)));
  }

  /** Another place is another try. */
  override componentDidUpdate(before: { readonly path: string }): void {
    if (before.path !== this.props.path && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof PartNotLoadedError) {
      return (
        <div style={{ padding: '8px 24px' }}>
          <FailedState
            title="This screen could not be loaded"
            message="Its file is not there or cannot be read, for example because the workbench was updated while this window was open. Running work continues and nothing is lost."
            hint={error.message}
            action={{ label: 'Reload the window', run: () => window.location.reload() }}
            further={{ label: 'Report a problem…', run: this.props.onReport }}
          />
        </div>
      );
    }
    return (
      <div style={{ padding: '8px 24px' }}>
        <FailedState
          title="This screen crashed"
          message="This is a bug in the workbench. Running work continues and nothing is lost."
          hint={`${this.props.path}\n${error.message}`}
          action={{ label: 'Reload screen', run: () => this.setState({ error: null }) }}
          further={{ label: 'Report a problem…', run: this.props.onReport }}
        />
      </div>
    );
  }
}
