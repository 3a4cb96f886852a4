import { Button, Tabs } from '@mantine/core';
import { memo, type ReactNode, useRef } from 'react';
import type {
  AnswerRule,
  NodeDetail,
  NodeView,
  OptionPosterior,
  Scale,
  SearchOptions,
  TreeView,
} from '../../../preload/contract';
import type { PlacedAgent } from '../../shared/studies';
import { answerRuleText } from '../../text/search';
import { ChangesView, ProgramView } from '../../widgets/code-view';
import { CopyTextButton } from '../../widgets/copy-text';
import { DetailsPanel } from './details-panel';
import { NodeHeader } from './node-header';
import classes from './node-inspector.module.css';
import { PROBLEM_MISSING, programChange } from './test-rows';
import { TestsPanel } from './tests-panel';
import { WhyPanel } from './why-panel';

export type DetailState =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly value: NodeDetail };

const INSPECTOR_TABS = ['Program', 'Changes', 'Tests', 'Why', 'Prompt', 'Answer', 'Details'] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** The inspector of one node. The caller holds the tab, so that it stays the same when the node changes. */
export const NodeInspector = memo(function NodeInspector(props: {
  node: NodeView | null;
  tree: TreeView | null;
  agents: readonly PlacedAgent[];
  grading: SearchOptions['grading'];
  detail: DetailState;
  tab: InspectorTab;
  onTab: (tab: InspectorTab) => void;
  /** The search's estimates of the options at each decision; null: not known (yet). */
  beliefs: readonly (readonly (OptionPosterior | null)[])[] | null;
  /** The run's scale, which decides what its tokens are. */
  scale: Scale;
  /** Index of the answer: the node that the search selected. */
  answer: number | null;
  /** How the search selects it. */
  rule: AnswerRule;
  onChoose: (index: number) => void;
  /** Shows the private verdicts that a replay hides; null: none are hidden. */
  onShowPrivate: (() => void) | null;
  /** What is read while no node is selected. */
  problem: ReactNode;
}) {
  const { node, tree, agents, scale, grading, detail, tab, onTab, beliefs, answer, rule } = props;
  const { onChoose, onShowPrivate } = props;
  if (node === null || tree === null) {
    return (
      <section className={classes.inspector} aria-label="Node inspector">
        <div className={classes.unselected}>
          <p>{tree === null ? 'No nodes yet.' : 'Select a node in the tree to inspect it.'}</p>
          {answer !== null && (
            <Button variant="default" onClick={() => onChoose(answer)}>
              Open the answer, node {answer}
            </Button>
          )}
        </div>
        {props.problem}
      </section>
    );
  }
  return (
    <section className={classes.inspector} aria-label="Node inspector">
      <NodeHeader
        node={node}
        isAnswer={node.index === answer}
        agents={agents}
        grading={grading}
        onShowPrivate={onShowPrivate}
      />
      <Tabs
        value={tab}
        onChange={(value) => onTab(INSPECTOR_TABS.find((name) => name === value) ?? 'Program')}
        keepMounted={false}
        classNames={{
          root: classes.tabs ?? '',
          list: classes.tabList ?? '',
          tab: classes.tab ?? '',
          panel: classes.panel ?? '',
        }}
      >
        <Tabs.List aria-label="Node details">
          {INSPECTOR_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          {tab === 'Details' ? (
            <DetailsPanel node={node} tree={tree} agents={agents} scale={scale} />
          ) : (
            <WithDetail node={node} detail={detail}>
              {(of, value) => (
                <TabContent
                  tab={tab}
                  node={of}
                  detail={value}
                  agents={agents}
                  beliefs={beliefs}
                  answerRule={of.index === answer ? answerRuleText(rule) : null}
                  onShowPrivate={onShowPrivate}
                />
              )}
            </WithDetail>
          )}
        </Tabs.Panel>
      </Tabs>
    </section>
  );
});

type LoadedDetail = { readonly node: NodeView; readonly value: NodeDetail };

/**
 * The detail, or why there is none. While the next one loads the last stays mounted but hidden: creating the editors again
 * at every step would be slow.
 */
function WithDetail(props: {
  node: NodeView;
  detail: DetailState;
  children: (node: NodeView, value: NodeDetail) => ReactNode;
}) {
  const { node, detail } = props;
  const last = useRef<LoadedDetail | null>(null);
  if (detail.kind === 'ready') last.current = { node, value: detail.value };
  const lastDetail = detail.kind === 'ready' || detail.kind === 'loading' ? last.current : null;
  return (
    <>
      <DetailStatus detail={detail} />
      {lastDetail !== null && (
        <div className={classes.known} data-old={detail.kind === 'loading' || undefined}>
          {props.children(lastDetail.node, lastDetail.value)}
        </div>
      )}
    </>
  );
}

function DetailStatus({ detail }: { detail: DetailState }) {
  switch (detail.kind) {
    case 'none':
      return <p className={classes.note}>No details for this node.</p>;
    case 'loading':
      return (
        <p className={`${classes.note} ${classes.late}`} role="status">
          Reading the journal…
        </p>
      );
    case 'failed':
      return (
        <p className={classes.note} role="alert">
          {detail.message}
        </p>
      );
    case 'ready':
      return null;
    default:
      return detail satisfies never;
  }
}

function TabContent(props: {
  tab: Exclude<InspectorTab, 'Details'>;
  node: NodeView;
  detail: NodeDetail;
  agents: readonly PlacedAgent[];
  beliefs: readonly (readonly (OptionPosterior | null)[])[] | null;
  answerRule: string | null;
  onShowPrivate: (() => void) | null;
}) {
  const { tab, node, detail, agents, beliefs, answerRule, onShowPrivate } = props;
  switch (tab) {
    case 'Program':
      return detail.program === null ? (
        <p className={classes.note}>The answer contains no program; see the Answer tab.</p>
      ) : (
        <Copyable label="Copy program" text={detail.program}>
          <ProgramView text={detail.program} label={`Program of node ${node.index}`} />
        </Copyable>
      );
    case 'Changes':
      return <Changes node={node} detail={detail} />;
    case 'Tests':
      return <TestsPanel key={node.index} detail={detail} onShowPrivate={onShowPrivate} />;
    case 'Why':
      return (
        <WhyPanel node={node} why={detail.why} agents={agents} beliefs={beliefs} answerRule={answerRule} />
      );
    case 'Prompt':
      return <Prompt detail={detail} />;
    case 'Answer':
      return (
        <Copyable label="Copy answer" text={detail.answer}>
          <Prose text={detail.answer} label="Answer" />
        </Copyable>
      );
    default:
      return tab satisfies never;
  }
}

function Changes({ node, detail }: { node: NodeView; detail: NodeDetail }) {
  const change = programChange(node.parent, detail);
  switch (change.kind) {
    case 'no-parent':
      return <p className={classes.note}>A first attempt: there is no earlier program to compare.</p>;
    case 'no-program':
      return <p className={classes.note}>The answer contains no program to compare.</p>;
    case 'parent-without-program':
      return <p className={classes.note}>The refined node {node.parent} has no program.</p>;
    case 'same':
      return <p className={classes.note}>Same program as node {node.parent}.</p>;
    case 'changed':
      return (
        <ChangesView
          text={change.after}
          original={change.before}
          label={`Changes from node ${node.parent} to node ${node.index}`}
        />
      );
    default:
      return change satisfies never;
  }
}

function Prompt({ detail }: { detail: NodeDetail }) {
  if (detail.problemIsMissing === true) return <p className={classes.note}>{PROBLEM_MISSING}</p>;
  return (
    <div className={classes.scroll}>
      {!detail.promptIsExact && (
        <p className={classes.caution} role="note">
          Not the exact prompt: this version of the workbench builds prompts differently from the one that
          ran.
        </p>
      )}
      {detail.prompt.map((message, i) => (
        <article key={i} className={classes.message} aria-label={`${message.role} message`}>
          <header>
            <span>{message.role}</span>
            <CopyTextButton label="Copy message" read={() => message.content} />
          </header>
          <pre>{message.content}</pre>
        </article>
      ))}
      {detail.prompt.length === 0 && <p className={classes.note}>No prompt recorded for this node.</p>}
    </div>
  );
}

function Copyable(props: { label: string; text: string; children: ReactNode }) {
  return (
    <div className={classes.copyable}>
      <div className={classes.copyButton}>
        <CopyTextButton label={props.label} read={() => props.text} />
      </div>
      {props.children}
    </div>
  );
}

function Prose({ text, label }: { text: string; label: string }) {
  if (text === '') return <p className={classes.note}>The answer is empty.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={classes.prose} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
