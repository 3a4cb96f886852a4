import { Fragment, type ReactNode } from 'react';
import type { ProblemText, TestCase } from '../../../preload/contract/problem';
import { useProblem } from '../../state/index';
import { EmptyState, FailedState, LoadingState, plural } from '../../widgets/index';
import { ProblemMarkLine } from './problem-mark';
import styles from './problems.module.css';
import { referenceInputs, toleranceText } from './reference-inputs';

/** Statement and public tests of the problem, as the agents and the search saw them. */
export function ProblemTextView(props: { readonly benchmarkId: string; readonly problemId: string }) {
  const problem = useProblem(props.benchmarkId, props.problemId);
  if (problem.kind === 'loading') {
    return (
      <div className={styles.padded}>
        <LoadingState text="Loading the problem" />
      </div>
    );
  }
  if (problem.kind === 'failed' && problem.error.code === 'unavailable') {
    return (
      <div className={styles.padded}>
        <EmptyState title="Statement and tests are not in the bundle">
          {problem.error.message} {problem.error.hint}
        </EmptyState>
      </div>
    );
  }
  if (problem.kind === 'failed') {
    return (
      <div className={styles.padded}>
        <FailedState
          title="The problem could not be read"
          message={problem.error.message}
          hint={problem.error.hint}
        />
      </div>
    );
  }
  return <Statement benchmarkId={props.benchmarkId} problem={problem.value} />;
}

function Statement(props: { readonly benchmarkId: string; readonly problem: ProblemText }) {
  const { id, title, statement, starterCode, difficulty, date, platform, skills, publicTests } =
    props.problem;
  const { publicTestCount, privateTestCount } = props.problem;
  const facts = [difficulty, platform ?? null, date, ...skills].filter((fact) => fact !== null);
  return (
    <article className={styles.statement}>
      <h2>{title}</h2>
      {facts.length > 0 && <p className={styles.soft}>{facts.join(' · ')}</p>}
      <ProblemMarkLine key={id} benchmarkId={props.benchmarkId} problemId={id} />
      <StatementText text={statement} />
      {/* Often the statement has it already. */}
      {!statement.includes(starterCode.trim()) && <pre>{starterCode}</pre>}
      <h3>
        {plural(publicTestCount, 'public test')}, {plural(privateTestCount, 'private test')}
      </h3>
      {publicTests.map((test, at) => (
        <div key={at} className={styles.test}>
          <TestText test={test} />
        </div>
      ))}
      {publicTests.length < publicTestCount && (
        <p className={styles.soft}>Shown: the first {plural(publicTests.length, 'public test')}.</p>
      )}
    </article>
  );
}

/** Fenced code and what stands between backticks on a line as code; everything else as it is. */
export function StatementText({ text }: { readonly text: string }) {
  const parts = text.split('```');
  // A fence that is never closed is text.
  const closed = parts.length % 2 === 1 ? parts : [...parts.slice(0, -2), parts.slice(-2).join('```')];
  return (
    <div className={styles.prose}>
      {closed.map((part, at) =>
        at % 2 === 0 ? (
          <Fragment key={at}>{withInlineCode(part)}</Fragment>
        ) : (
          <pre key={at}>{part.replace(/^[\w+-]{0,20}\n/, '').trimEnd()}</pre>
        ),
      )}
    </div>
  );
}

function withInlineCode(text: string): ReactNode {
  // Every second part is what the group caught.
  return text
    .split(/(?<!`)`([^`\n]{1,300})`(?!`)/)
    .map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}

function TestText(props: { readonly test: TestCase }) {
  const { test } = props;
  switch (test.kind) {
    case 'check':
      return <pre>{test.source}</pre>;
    case 'reference':
      return (
        <div className={styles.reference}>
          <pre>{referenceInputs(test).join('\n')}</pre>
          <details>
            <summary>Expected: the result of the reference program{toleranceText(test.tolerance)}</summary>
            <pre>{test.reference}</pre>
          </details>
        </div>
      );
    default:
      return (
        <>
          <pre>{test.input}</pre>
          <span aria-hidden="true">→</span>
          <pre>{test.expected}</pre>
        </>
      );
  }
}
