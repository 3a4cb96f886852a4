import { VisuallyHidden } from '@mantine/core';
import type { Agent, Decision, NodeView, OptionPosterior } from '../../../preload/contract';
import { fixedText } from '../../../preload/contract/plans';
import { agentName } from '../tree';
import classes from './node-inspector.module.css';
import styles from './why-panel.module.css';
import { optionText, questionText, type ShownOption, type ShownQuestion, shownQuestions } from './why-text';

/**
 * The decisions of the search that led to this node, with the value and the estimate of every option. `answerRule`: why it is
 * the answer; null: it is not.
 */
export function WhyPanel(props: WhyProps & { readonly answerRule: string | null }) {
  const { answerRule, ...why } = props;
  return (
    <div className={styles.why}>
      {answerRule !== null && <p className={classes.note}>{answerRule}</p>}
      <Decisions {...why} />
    </div>
  );
}

type WhyProps = {
  readonly node: NodeView;
  readonly why: readonly Decision[] | null;
  readonly agents: readonly Agent[];
  /** By decision and option; null: not known (yet). */
  readonly beliefs: readonly (readonly (OptionPosterior | null)[])[] | null;
};

function Decisions(props: WhyProps) {
  const { node, why, agents, beliefs } = props;
  if (why === null) {
    return <p className={classes.note}>This journal does not record the draws of the search.</p>;
  }
  if (why.length === 0) {
    return (
      <p className={classes.note}>
        No decisions: {node.parent === -1 ? 'a first attempt' : `a refinement of node ${node.parent}`} by the
        only agent.
      </p>
    );
  }
  const nameOf = (id: string): string => agentName(agents, id);
  const questions = shownQuestions(why, beliefs);
  const isBelieved = beliefs?.some((options) => options.some((option) => option !== null)) ?? false;
  return (
    <>
      {isBelieved && <PosteriorLegend />}
      <ol className={styles.decisions} aria-label={`Why node ${node.index}`}>
        {why.map((decision, at) => (
          <Question key={at} decision={decision} shown={questions[at]} nameOf={nameOf} />
        ))}
      </ol>
    </>
  );
}

function PosteriorLegend() {
  return (
    <p className={styles.legend}>
      <span>
        <span className={styles.key} aria-hidden="true">
          <i className={styles.interval} style={{ left: '10%', width: '80%' }} />
          <i className={styles.mean} style={{ left: '50%' }} />
        </span>
        estimate at that time (mean, 90 % interval)
      </span>
      <span>
        <span className={styles.key} aria-hidden="true">
          <i className={styles.draw} style={{ left: '50%' }} />
        </span>
        drawn
      </span>
      <span>n: observations at that time</span>
    </p>
  );
}

function Question(props: {
  readonly decision: Decision;
  readonly shown: ShownQuestion | undefined;
  readonly nameOf: (id: string) => string;
}) {
  const { decision, shown, nameOf } = props;
  if (shown === undefined) return null;
  const { rows, hidden, low, high } = shown;
  const at = (value: number): number => ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * 100;
  return (
    <li>
      <h3>{questionText(decision)}</h3>
      <table aria-label={questionText(decision)}>
        {rows.some(({ value, belief }) => value !== null || belief !== null) && (
          <thead aria-hidden="true">
            <tr>
              <td />
              <td>
                <span className={styles.ends}>
                  <small>{endText(low)}</small>
                  <small>{endText(high)}</small>
                </span>
              </td>
              <td />
              <td />
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row) => (
            <tr key={row.option} data-chosen={row.chosen || undefined}>
              <th scope="row">{optionText(row.option, decision.node, nameOf)}</th>
              <td className={styles.drawBar}>
                {row.belief === null ? (
                  <ValueBar value={row.value} at={at} />
                ) : (
                  <PosteriorBar posterior={row.belief} value={row.value} at={at} />
                )}
              </td>
              <td>
                <VisuallyHidden>value </VisuallyHidden>
                {row.value === null ? 'untried' : fixedText(row.value, 3)}
              </td>
              <td>{rowNote(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p className={classes.soft}>and {hidden} more with lower values</p>}
    </li>
  );
}

/** Of the scale that the bars of a question are drawn on. */
const endText = (value: number): string => fixedText(value, Number.isInteger(value) ? 0 : 2);

/** "chosen", and the number of observations of the estimate. */
function rowNote({ chosen, belief: posterior }: ShownOption): string {
  if (posterior === null) return chosen ? 'chosen' : '';
  return chosen ? `chosen, n ${posterior.observations}` : `n ${posterior.observations}`;
}

function ValueBar(props: { readonly value: number | null; readonly at: (value: number) => number }) {
  const { value, at } = props;
  if (value === null) return null;
  const [from, to] = [Math.min(0, value), Math.max(0, value)];
  return <i className={styles.bar} style={{ left: `${at(from)}%`, width: `${at(to) - at(from)}%` }} />;
}

function PosteriorBar(props: {
  readonly posterior: OptionPosterior;
  readonly value: number | null;
  readonly at: (value: number) => number;
}) {
  const { posterior: belief, value, at } = props;
  const { mean, low, high } = belief;
  const label =
    low === null || high === null
      ? `Mean ${mean.toFixed(2)} of ${belief.observations}`
      : `Estimate ${mean.toFixed(2)}, 90 % interval ${low.toFixed(2)} to ${high.toFixed(2)}, after ${belief.observations}`;
  return (
    <span role="img" aria-label={label} title={label.replaceAll('-', '−')}>
      {low !== null && high !== null && (
        <i className={styles.interval} style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%` }} />
      )}
      <i className={styles.mean} style={{ left: `${at(mean)}%` }} />
      {value !== null && <i className={styles.draw} style={{ left: `${at(value)}%` }} />}
    </span>
  );
}
