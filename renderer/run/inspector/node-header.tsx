import { Anchor } from '@mantine/core';
import type { NodeView, SearchOptions, Verdict } from '../../../preload/contract';
import { publicVerdictOf } from '../../../preload/contract/folds';
import { fixedText } from '../../../preload/contract/plans';
import type { PlacedAgent } from '../../shared/studies';
import { verdictStyle } from '../../theme';
import { AgentMark, agentName, originText } from '../tree';
import classes from './node-inspector.module.css';
import { VerdictStrip } from './verdict-strip';

/** Agent, origin and test results of the node; public and private tests are always separate. */
export function NodeHeader(props: {
  node: NodeView;
  /** Does the search select it? */
  isAnswer: boolean;
  agents: readonly PlacedAgent[];
  /** The grading mode of the run. */
  grading: SearchOptions['grading'];
  /** Shows the private verdict that a replay hides; null: it is not hidden. */
  onShowPrivate: (() => void) | null;
}) {
  const { node, isAnswer, agents, grading, onShowPrivate } = props;
  const position = agents.find(({ id }) => id === node.agentId)?.position ?? 0;
  return (
    <header className={classes.header}>
      <h2>
        <AgentMark position={position} /> Node {node.index}
        <span className={classes.origin}>
          {agentName(agents, node.agentId)}, {originText(node)}
          {isAnswer && ', the answer'}
        </span>
      </h2>
      <dl className={classes.grades}>
        <Grade name="Public" verdict={publicVerdictOf(node)} verdicts={node.publicVerdicts} />
        {onShowPrivate === null ? (
          <Grade name="Private" verdict={node.privateVerdict} verdicts={node.privateVerdicts} />
        ) : (
          <HiddenGrade onShow={onShowPrivate} />
        )}
        {node.otherVerdict !== null && <OtherVerdict verdict={node.otherVerdict} grading={grading} />}
        <div>
          <dt>Score</dt>
          <dd className={classes.numbers}>
            <b>{node.score.toFixed(2)}</b>
            {node.reward !== null && <span className={classes.soft}>reward {fixedText(node.reward, 2)}</span>}
            <span className={classes.soft}>depth {node.depth}</span>
          </dd>
        </div>
      </dl>
    </header>
  );
}

/** The verdict in the other grading mode, where it differs; the run counts the one above. */
function OtherVerdict(props: { verdict: Verdict; grading: SearchOptions['grading'] }) {
  const glyph = verdictStyle(props.verdict);
  return (
    <div>
      <dt />
      <dd className={classes.soft}>
        {props.grading === 'as-program' ? 'as published: ' : 'as a program: '}
        <span style={{ color: `var(${glyph.token})` }}>{glyph.label.toLowerCase()}</span>
      </dd>
    </div>
  );
}

function HiddenGrade({ onShow }: { onShow: () => void }) {
  return (
    <div>
      <dt>Private</dt>
      <dd className={classes.soft}>
        hidden: not known during the search
        <Anchor component="button" type="button" fz="inherit" onClick={onShow}>
          Show
        </Anchor>
      </dd>
    </div>
  );
}

function Grade(props: {
  name: string;
  verdict: NodeView['privateVerdict'];
  verdicts: NodeView['privateVerdicts'];
}) {
  const { name, verdict, verdicts } = props;
  const glyph = verdictStyle(verdict);
  const passed = verdicts.filter((each) => each === 'passed').length;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={classes.verdictLine} style={{ color: `var(${glyph.token})` }}>
          {glyph.label}
        </span>
        {verdicts.length > 0 && (
          <span className={classes.numbers}>
            {passed} of {verdicts.length} passed
          </span>
        )}
        <VerdictStrip verdicts={verdicts} label={name} />
      </dd>
    </div>
  );
}
