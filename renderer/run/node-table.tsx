import { useMemo } from 'react';
import type { NodeView, TreeView } from '../../preload/contract/folds/index';
import type { Agent } from '../../preload/contract/team';
import { agentStyle, verdictGlyph } from '../theme/index';
import { AgentShapeMark, type Column, DataTable, percent } from '../widgets/index';
import styles from './run.module.css';
import { answerOf } from './tree/index';

/** The nodes of one tree as a table, in the order of their making until a head is pressed. */
export function NodeTable(props: {
  readonly tree: TreeView;
  readonly agents: readonly Agent[];
  readonly tie: 'earliest' | 'latest';
  readonly selected: number | null;
  readonly onSelect: (index: number) => void;
}) {
  const { tree, agents, tie, selected, onSelect } = props;
  const answer = answerOf(tree, tie) ?? -1;
  const columns = useMemo(() => nodeColumns(agents, answer), [agents, answer]);
  return (
    <DataTable
      label="Nodes"
      columns={columns}
      rows={tree.nodes}
      rowHeight={24}
      rowKey={({ index }) => String(index)}
      rowLabel={(node) =>
        `Node ${node.index}, ${agents.find(({ id }) => id === node.agentId)?.name ?? node.agentId}: ${verdictGlyph(node.publicVerdict).label}`
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
      track: '36px',
      right: true,
      cell: ({ index }) => (index === answer ? <b title="The answer of the search">{index}</b> : index),
      order: ({ index }) => index,
    },
    {
      id: 'parent',
      label: 'From',
      track: '36px',
      right: true,
      cell: ({ parent }) => (parent < 0 ? 'new' : parent),
      order: ({ parent }) => parent,
    },
    {
      id: 'agent',
      label: 'Agent',
      track: 'minmax(64px, 1fr)',
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
      track: '52px',
      right: true,
      cell: ({ score }) => percent(score, 0),
      order: ({ score }) => score,
    },
    {
      id: 'public',
      label: 'Public',
      track: '56px',
      cell: ({ publicVerdicts }) => <VerdictStrip verdicts={publicVerdicts} />,
      order: ({ publicVerdict }) => publicVerdict,
    },
    {
      id: 'private',
      label: 'Private tests',
      track: 'minmax(112px, 1.2fr)',
      cell: ({ privateVerdict }) => <VerdictWords verdict={privateVerdict} />,
      order: ({ privateVerdict }) => privateVerdict ?? '',
    },
    {
      id: 'tokens',
      label: 'Tokens',
      track: '46px',
      right: true,
      cell: ({ completionTokens }) => completionTokens,
      order: ({ completionTokens }) => completionTokens,
    },
  ];
}

/** More tests than this are told by the first that is not passed anyway. */
const MOST_GLYPHS = 5;

function VerdictStrip(props: { readonly verdicts: NodeView['publicVerdicts'] }) {
  return (
    <span className={styles.strip}>
      {props.verdicts.slice(0, MOST_GLYPHS).map((verdict, at) => {
        const { glyph, label, token } = verdictGlyph(verdict);
        return (
          <b key={`${at} ${verdict}`} style={{ color: `var(${token})` }} title={label}>
            {glyph}
          </b>
        );
      })}
      {props.verdicts.length > MOST_GLYPHS && '…'}
    </span>
  );
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
