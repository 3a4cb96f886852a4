import type { Problem } from '../../preload/contract/problem';
import { useProblem } from '../state/index';
import { FailedState, LoadingState, plural } from '../widgets/index';
import styles from './run.module.css';

/** What the agents were told, and the public tests that the search saw. */
export function ProblemText(props: { readonly benchmarkId: string; readonly problemId: string }) {
  const problem = useProblem(props.benchmarkId, props.problemId);
  if (problem.kind === 'loading') {
    return (
      <div className={styles.padded}>
        <LoadingState what="Reading the problem" />
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
  return <Statement problem={problem.value} />;
}

function Statement(props: { readonly problem: Problem }) {
  const { title, statement, starterCode, difficulty, date, skills, publicTests, privateTests } =
    props.problem;
  const facts = [difficulty, date, ...skills].filter((fact) => fact !== null);
  return (
    <article className={styles.statement}>
      <h2>{title}</h2>
      {facts.length > 0 && <p className={styles.soft}>{facts.join(' · ')}</p>}
      <p className={styles.prose}>{statement}</p>
      {starterCode !== '' && <pre>{starterCode}</pre>}
      <h3>
        {plural(publicTests.length, 'public test')}, {plural(privateTests.length, 'private test')}
      </h3>
      {publicTests.map((test, at) => (
        <div key={at} className={styles.test}>
          {test.kind === 'check' ? (
            <pre>{test.source}</pre>
          ) : (
            <>
              <pre>{test.input}</pre>
              <span aria-hidden="true">→</span>
              <pre>{test.expected}</pre>
            </>
          )}
        </div>
      ))}
    </article>
  );
}
