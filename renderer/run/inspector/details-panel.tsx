import type { Agent, NodeView, Scale, TreeView } from '../../../preload/contract';
import { promptFormatText } from '../../../preload/contract/plans';
import { tokenText } from '../../text/metrics';
import { verdictStyle } from '../../theme';
import { plural } from '../../widgets/format';
import { agentName } from '../tree';
import classes from './node-inspector.module.css';

/** Origin and cost of the node. */
export function DetailsPanel(props: {
  node: NodeView;
  tree: TreeView;
  agents: readonly Agent[];
  scale: Scale;
}) {
  const { node, tree, agents } = props;
  const tokens = tokenText(props.scale);
  const children = tree.nodes
    .filter((other) => other.parent === node.index)
    .map((other) => `#${other.index}`);
  const twins =
    node.programDigest === null
      ? []
      : tree.nodes
          .filter((other) => other.index !== node.index && other.programDigest === node.programDigest)
          .map((other) => `#${other.index}`);
  const facts: ReadonlyArray<readonly [string, string]> = [
    ['Agent', agentName(agents, node.agentId)],
    ['Trial', String(node.trial)],
    ['Parent', node.parent === -1 ? 'the problem' : `#${node.parent}`],
    ['Refined by', listed(children)],
    ['Prompt format', promptFormatText(agents.find(({ id }) => id === node.agentId) ?? {})],
    ['Prompt', plural(node.promptTokens, 'token')],
    ['Answer', plural(node.completionTokens, 'token')],
    ...(tokens === null ? [] : [['Tokens', tokens] as const]),
    ['Answer ended', END_LABELS[node.answerEnd ?? 'unknown']],
    ...(node.otherVerdict === null
      ? []
      : [['Other grading mode', verdictStyle(node.otherVerdict).label] as const]),
    ['Generated in', duration(node.generateMs)],
    // A program that was graded before has its verdict at once, and there is none without a program.
    ...(node.gradeMs === 0 ? [] : [['Graded in', duration(node.gradeMs)] as const]),
    ['Seed', String(node.generationSeed)],
    ['Program digest', node.programDigest ?? 'no program'],
    ['Same program', listed(twins)],
    ['Problem', tree.problemId],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const END_LABELS = {
  stop: 'normally',
  length: 'at the token limit',
  empty: 'empty',
  unknown: 'not reported by the server',
} as const;

/** Names listed before the rest is counted. */
const MAX_LISTED = 12;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const rest = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function duration(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}
