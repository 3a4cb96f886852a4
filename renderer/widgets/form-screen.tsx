import type { ReactNode } from 'react';
import { FormColumns, FormRefusal, FormWarning, SubmitByKey } from './form';
import { plural } from './format';
import { Screen } from './screen';

/**
 * A screen that orders something: a form, and beside it what will come of it, under what main has refused and what is
 * to be mended. Ctrl+Enter does `onSubmit`.
 */
export function FormScreen(props: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly actions: ReactNode;
  readonly busy: boolean;
  readonly onSubmit: () => void;
  /** What main has said no to, e.g. "The job was not started", and why; null: nothing. */
  readonly refusal: {
    readonly title: string;
    readonly reason: { readonly message: string; readonly hint?: string | undefined } | null;
  };
  /** How many things are wrong, once it was tried. */
  readonly errorCount: number;
  readonly warnings: readonly string[];
  /** What will come of it. */
  readonly summary: ReactNode;
  readonly children: ReactNode;
}) {
  const { reason: refusal } = props.refusal;
  return (
    <SubmitByKey busy={props.busy} onSubmit={props.onSubmit}>
      <Screen title={props.title} aside={props.aside} actions={props.actions} fill>
        <FormColumns
          summary={
            <>
              {refusal !== null && (
                <FormRefusal title={props.refusal.title} message={refusal.message} hint={refusal.hint} />
              )}
              {props.errorCount > 0 && (
                <FormWarning text={`${plural(props.errorCount, 'thing')} to fix before you can start.`} />
              )}
              {props.summary}
              {props.warnings.map((text) => (
                <FormWarning key={text} text={text} />
              ))}
            </>
          }
        >
          {props.children}
        </FormColumns>
      </Screen>
    </SubmitByKey>
  );
}
