import { Component, type ReactNode } from 'react';

/** A chart that breaks takes only itself: what stands beside it stays, and the error is in the log. New data are tried again. */
export class ChartBoundary extends Component<
  {
    readonly title: string;
    /** What is drawn. */
    readonly data: unknown;
    readonly children: ReactNode;
  },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  /** As an uncaught one, which the page logs. */
  override componentDidCatch(error: unknown): void {
    window.dispatchEvent(new ErrorEvent('error', { error, message: String(error) }));
  }

  override componentDidUpdate({ data }: { readonly data: unknown }): void {
    if (this.state.hasFailed && data !== this.props.data) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <p role="alert">
        {this.props.title}: this chart could not be drawn. This is a bug in the workbench; press Ctrl+K and
        choose “Report a problem…”. Nothing is lost.
      </p>
    );
  }
}
