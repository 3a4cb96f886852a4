import { type ReactNode, useEffect, useRef } from 'react';
import { FormColumns, FormRefusal, FormWarning, SubmitByKey, scrollToFirstError } from './form';
import { plural } from './format';
import { Screen } from './screen';

/**
 * A form that starts something: fields, and next to them a summary below the refusal of main and the number of errors.
 * Ctrl+Enter calls `onSubmit`.
 */
export function FormScreen(props: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly actions: ReactNode;
  readonly busy: boolean;
  readonly onSubmit: () => void;
  /** Title, e.g. "The job was not started", and the reason; null: not refused. */
  readonly refusal: {
    readonly title: string;
    readonly reason: { readonly message: string; readonly hint?: string | undefined } | null;
  };
  /** Number of errors, after the first try to submit. */
  readonly errorCount: number;
  readonly warnings: readonly string[];
  /** Preview of the result. */
  readonly summary: ReactNode;
  readonly children: ReactNode;
}) {
  const { reason: refusal } = props.refusal;
  const { busy, errorCount } = props;
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !busy && errorCount > 0) scrollToFirstError();
    wasBusy.current = busy;
  }, [busy, errorCount]);
  return (
    <SubmitByKey busy={props.busy} onSubmit={props.onSubmit}>
      <Screen title={props.title} aside={props.aside} actions={props.actions} fill>
        <FormColumns
          summary={
            <>
              {refusal !== null && (
                <FormRefusal title={props.refusal.title} message={refusal.message} hint={refusal.hint} />
              )}
              {errorCount > 0 && (
                <div role="alert">
                  <FormWarning text={`${plural(errorCount, 'error')} to fix before you can start.`} />
                </div>
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
