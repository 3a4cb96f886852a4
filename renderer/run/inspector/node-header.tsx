import type { Agent, NodeView } from '../../../preload/contract';
import { verdictGlyph } from '../../theme';
import { AgentMark, agentName, originWords } from '../tree';
import classes from './node-inspector.module.css';
import { VerdictStrip } from './verdict-strip';

/** Who wrote the node, from what, and what the tests said; public and private are told apart, always. */
export function NodeHeader({ node, agents }: { node: NodeView; agents: readonly Agent[] }) {
  const position = agents.findIndex((agent) => agent.id === node.agentId);
  return (
    <header className={classes.header}>
      <h2>
        <AgentMark position={position} /> Node {node.index}
        <span className={classes.origin}>
          {agentName(agents, node.agentId)}, {originWords(node)}
        </span>
      </h2>
      <dl className={classes.grades}>
        <Grade name="Public" verdict={node.publicVerdict} verdicts={node.publicVerdicts} />
        <Grade name="Private" verdict={node.privateVerdict} verdicts={node.privateVerdicts} />
        <div>
          <dt>Score</dt>
          <dd className={classes.numbers}>
            <b>{node.score.toFixed(2)}</b>
            <span className={classes.soft}>depth {node.depth}</span>
          </dd>
        </div>
      </dl>
    </header>
  );
}

function Grade(props: {
  name: string;
  verdict: NodeView['privateVerdict'];
  verdicts: NodeView['privateVerdicts'];
}) {
  const { name, verdict, verdicts } = props;
  const look = verdictGlyph(verdict);
  const passed = verdicts.filter((each) => each === 'passed').length;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={classes.verdictLine} style={{ color: `var(${look.token})` }}>
          {look.label}
        </span>
        {verdicts.length > 0 && (
          <span className={classes.numbers}>
            {passed} of {verdicts.length}
          </span>
        )}
        <VerdictStrip verdicts={verdicts} label={name} />
      </dd>
    </div>
  );
}
