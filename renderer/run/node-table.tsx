import { useMemo } from 'react';
import {
  type AnswerRule,
  type NodeView,
  publicVerdictOf,
  type TreeView,
} from '../../preload/contract/folds/index';
import { fixedText } from '../../preload/contract/plans/index';
import type { Scale } from '../../preload/contract/scale';
import type { PlacedAgent } from '../shared/studies/index';
import { tokenText } from '../text/metrics';
import { agentStyle, verdictStyle } from '../theme/index';
import { AgentShapeMark, type Column, type ContextAction, DataTable, percent } from '../widgets/index';
import styles from './run.module.css';
import { answerOf } from './tree/index';

/** The nodes of one tree as a sortable table, by default in order of creation. */
export function NodeTable(props: {
  readonly tree: TreeView;
  readonly agents: readonly PlacedAgent[];
  readonly scale: Scale;
  readonly rule: AnswerRule;
  readonly selected: number | null;
  readonly onSelect: (index: number) => void;
  readonly actionsOf: (index: number) => readonly ContextAction[];
}) {
  const { tree, agents, scale, rule, selected, onSelect, actionsOf } = props;
  const answer = answerOf(tree, rule) ?? -1;
  const rewarded = tree.nodes.some(({ reward }) => reward !== null);
  const columns = useMemo(
    () => nodeColumns(agents, scale, answer, rewarded),
    [agents, scale, answer, rewarded],
  );
  return (
    <DataTable
      label="Nodes"
      columns={columns}
      rows={tree.nodes}
      rowHeight={24}
      rowKey={({ index }) => String(index)}
      rowLabel={(node) =>
        `Node ${node.index}, ${agents.find(({ id }) => id === node.agentId)?.name ?? node.agentId}: ${verdictStyle(publicVerdictOf(node)).label}`
      }
      chosen={selected === null ? null : String(selected)}
      onChoose={({ index }) => onSelect(index)}
      rowActions={({ index }) => actionsOf(index)}
    />
  );
}

function nodeColumns(
  agents: readonly PlacedAgent[],
  scale: Scale,
  answer: number,
  rewarded: boolean,
): readonly Column<NodeView>[] {
  return [
    {
      id: 'index',
      label: 'Node',
      track: rewarded ? '30px' : '36px',
      right: true,
      cell: ({ index }) => (index === answer ? <b title="The answer of the search">{index}</b> : index),
      sortValue: ({ index }) => index,
    },
    {
      id: 'parent',
      label: 'From',
      from: rewarded ? 420 : 380,
      track: rewarded ? '30px' : '36px',
      right: true,
      cell: ({ parent }) => (parent < 0 ? 'new' : parent),
      sortValue: ({ parent }) => parent,
    },
    {
      id: 'agent',
      label: 'Agent',
      track: rewarded ? 'minmax(54px, 1fr)' : 'minmax(64px, 1fr)',
      cell: ({ agentId }) => {
        const agent = agents.find(({ id }) => id === agentId);
        return (
          <span className={styles.agent}>
            <AgentShapeMark agent={agentStyle(agent?.position ?? 0)} />
            {agent?.name ?? agentId}
          </span>
        );
      },
      sortValue: ({ agentId }) => agents.findIndex(({ id }) => id === agentId),
    },
    {
      id: 'score',
      label: 'Public %',
      isFixed: true,
      track: rewarded ? '50px' : '52px',
      right: true,
      cell: ({ score }) => percent(score, 0),
      sortValue: ({ score }) => score,
    },
    ...(rewarded ? [REWARD] : []),
    {
      id: 'public',
      label: 'Public',
      track: rewarded ? '46px' : '56px',
      // The next column shows the share of public tests passed.
      from: rewarded ? 500 : 486,
      cell: ({ publicVerdicts }) => <VerdictStrip verdicts={publicVerdicts} />,
      sortValue: (node) => publicVerdictOf(node) ?? '',
    },
    {
      id: 'private',
      label: 'Private tests',
      isFixed: true,
      track: rewarded ? 'minmax(104px, 1.6fr)' : 'minmax(112px, 1.2fr)',
      cell: ({ privateVerdict }) => <VerdictText verdict={privateVerdict} />,
      sortValue: ({ privateVerdict }) => privateVerdict ?? '',
    },
    {
      id: 'tokens',
      label: 'Tokens',
      hint: `Tokens of the answer. ${tokenText(scale) ?? ''}`,
      track: '46px',
      right: true,
      cell: ({ completionTokens, answerEnd }) => <Tokens count={completionTokens} end={answerEnd} />,
      sortValue: ({ completionTokens }) => completionTokens,
    },
  ];
}

const REWARD: Column<NodeView> = {
  id: 'reward',
  label: 'Reward',
  track: '44px',
  right: true,
  cell: ({ reward }) => (reward === null ? '–' : fixedText(reward, 2)),
  sortValue: ({ reward }) => reward ?? Number.NEGATIVE_INFINITY,
};

const END_MARKS = {
  length: { glyph: '✂', label: 'The answer was cut off at the token limit' },
  empty: { glyph: '∅', label: 'The answer is empty' },
} as const;

/** Marks answers that were cut off or empty: their programs are rarely complete. */
function Tokens(props: { readonly count: number; readonly end: NodeView['answerEnd'] }) {
  const { count, end } = props;
  const mark = end === 'length' || end === 'empty' ? END_MARKS[end] : null;
  if (mark === null) return count;
  return (
    <span className={styles.cut} title={mark.label}>
      <span role="img" aria-label={mark.label}>
        {mark.glyph}
      </span>{' '}
      {count}
    </span>
  );
}

/** Maximum number of glyphs. */
const MAX_GLYPHS = 5;

function VerdictStrip(props: { readonly verdicts: NodeView['publicVerdicts'] }) {
  return (
    <span className={styles.strip} role="img" aria-label={verdictsText(props.verdicts)}>
      {props.verdicts.slice(0, MAX_GLYPHS).map((verdict, at) => {
        const { glyph, label, token } = verdictStyle(verdict);
        return (
          <b key={`${at} ${verdict}`} style={{ color: `var(${token})` }} title={label}>
            {glyph}
          </b>
        );
      })}
      {props.verdicts.length > MAX_GLYPHS && '…'}
    </span>
  );
}

/** Texts for screen readers, instead of the glyphs. */
function verdictsText(verdicts: NodeView['publicVerdicts']): string {
  if (verdicts.length === 0) return verdictStyle(null).label;
  const more = verdicts.length - MAX_GLYPHS;
  const labels = verdicts.slice(0, MAX_GLYPHS).map((verdict) => verdictStyle(verdict).label);
  return `${labels.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function VerdictText(props: { readonly verdict: NodeView['privateVerdict'] }) {
  const { glyph, label, token } = verdictStyle(props.verdict);
  return (
    <span>
      <b className={styles.glyph} style={{ color: `var(${token})` }} aria-hidden="true">
        {glyph}
      </b>
      {label}
    </span>
  );
}
