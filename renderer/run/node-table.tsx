import { useMemo } from 'react';
import { type NodeView, selectedNode, type TreeView } from '../../preload/contract/folds/index';
import type { Agent } from '../../preload/contract/team';
import { agentStyle, verdictGlyph } from '../theme/index';
import { AgentShapeMark, type Column, DataTable, percent } from '../widgets/index';
import styles from './run.module.css';

/** The nodes of one tree as a table, in the order of their making until a head is pressed. */
export function NodeTable(props: {
  readonly tree: TreeView;
  readonly agents: readonly Agent[];
  readonly tie: 'earliest' | 'latest';
  readonly selected: number | null;
  readonly onSelect: (index: number) => void;
}) {
  const { tree, agents, tie, selected, onSelect } = props;
  const answer = selectedNode(tree.nodes, tie)?.index ?? -1;
  const columns = useMemo(() => nodeColumns(agents, answer), [agents, answer]);
  return (
    <DataTable
      label="Nodes"
      columns={columns}
      rows={tree.nodes}
      rowHeight={24}
      rowKey={({ index }) => String(index)}
      rowLabel={(node) =>
        `Node ${node.index + 1}, ${agents.find(({ id }) => id === node.agentId)?.name ?? node.agentId}: ${verdictGlyph(node.publicVerdict).label}`
      }
      chosen={selected === null ? null : String(selected)}
      onChoose={({ index }) => onSelect(index)}
    />
  );
}

function nodeColumns(agents: readonly Agent[], answer: number): readonly Column<NodeView>[] {
  return [
    {
      id: 'index',
      label: 'Node',
      track: '44px',
      right: true,
      cell: ({ index }) =>
        index === answer ? <b title="The answer of the search">{index + 1}</b> : index + 1,
      order: ({ index }) => index,
    },
    {
      id: 'parent',
      label: 'From',
      track: '44px',
      right: true,
      cell: ({ parent }) => (parent < 0 ? 'new' : parent + 1),
      order: ({ parent }) => parent,
    },
    {
      id: 'agent',
      label: 'Agent',
      track: 'minmax(80px, 1fr)',
      cell: ({ agentId }) => {
        const position = agents.findIndex(({ id }) => id === agentId);
        return (
          <span className={styles.agent}>
            <AgentShapeMark agent={agentStyle(position)} />
            {agents[position]?.name ?? agentId}
          </span>
        );
      },
      order: ({ agentId }) => agents.findIndex(({ id }) => id === agentId),
    },
    {
      id: 'score',
      label: 'Public %',
      track: '60px',
      right: true,
      cell: ({ score }) => percent(score, 0),
      order: ({ score }) => score,
    },
    {
      id: 'public',
      label: 'Public tests',
      track: 'minmax(84px, 1fr)',
      cell: ({ publicVerdict }) => <VerdictWords verdict={publicVerdict} />,
      order: ({ publicVerdict }) => publicVerdict,
    },
    {
      id: 'private',
      label: 'Private tests',
      track: 'minmax(84px, 1fr)',
      cell: ({ privateVerdict }) => <VerdictWords verdict={privateVerdict} />,
      order: ({ privateVerdict }) => privateVerdict ?? '',
    },
    {
      id: 'tokens',
      label: 'Tokens',
      track: '54px',
      right: true,
      cell: ({ completionTokens }) => completionTokens,
      order: ({ completionTokens }) => completionTokens,
    },
  ];
}

function VerdictWords(props: { readonly verdict: NodeView['privateVerdict'] }) {
  const { glyph, label, token } = verdictGlyph(props.verdict);
  return (
    <span>
      <b className={styles.glyph} style={{ color: `var(${token})` }} aria-hidden="true">
        {glyph}
      </b>
      {label}
    </span>
  );
}
