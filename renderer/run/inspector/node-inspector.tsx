import { Button, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Agent, NodeDetail, NodeView, TreeView } from '../../../preload/contract';
import { CopyTextButton } from '../../widgets/copy-text';
import { ChangesView, ProgramView } from './code-view';
import { DetailsPanel } from './details-panel';
import { NodeHeader } from './node-header';
import classes from './node-inspector.module.css';
import { programChange } from './program-change';
import { TestsPanel } from './tests-panel';

export type DetailState =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly value: NodeDetail };

const TABS = ['Program', 'Changes', 'Tests', 'Prompt', 'Answer', 'Details'] as const;
type Tab = (typeof TABS)[number];

/** One node from all sides. The chosen tab stays when the node changes, so that walking compares like with like. */
export function NodeInspector(props: {
  node: NodeView | null;
  tree: TreeView | null;
  agents: readonly Agent[];
  detail: DetailState;
  /** Index of the node that the search hands in, where one would begin to look. */
  answer: number | null;
  onChoose: (index: number) => void;
}) {
  const { node, tree, agents, detail, answer, onChoose } = props;
  const [tab, setTab] = useState<Tab>('Program');
  if (node === null || tree === null) {
    return (
      <section className={classes.inspector} aria-label="Node inspector">
        <div className={classes.empty}>
          <p>
            {tree === null
              ? 'Choose a problem to see its tree.'
              : 'Choose a node of the tree to look into it.'}
          </p>
          {answer !== null && (
            <Button variant="default" mt={12} onClick={() => onChoose(answer)}>
              Open the answer, node {answer}
            </Button>
          )}
        </div>
      </section>
    );
  }
  return (
    <section className={classes.inspector} aria-label="Node inspector">
      <NodeHeader node={node} agents={agents} />
      <Tabs
        value={tab}
        onChange={(value) => setTab(TABS.find((name) => name === value) ?? 'Program')}
        keepMounted={false}
        classNames={{
          root: classes.tabs ?? '',
          list: classes.tabList ?? '',
          tab: classes.tab ?? '',
          panel: classes.panel ?? '',
        }}
      >
        <Tabs.List aria-label="Sides of the node">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          {tab === 'Details' ? (
            <DetailsPanel node={node} tree={tree} agents={agents} />
          ) : (
            <WithDetail detail={detail}>
              {(value) => <Side key={node.index} tab={tab} node={node} detail={value} />}
            </WithDetail>
          )}
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function WithDetail(props: { detail: DetailState; children: (value: NodeDetail) => ReactNode }) {
  const { detail } = props;
  switch (detail.kind) {
    case 'none':
      return <p className={classes.note}>Nothing more is known of this node.</p>;
    case 'loading':
      return (
        <p className={`${classes.note} ${classes.late}`} role="status">
          Reading the journal...
        </p>
      );
    case 'failed':
      return (
        <p className={classes.note} role="alert">
          {detail.message}
        </p>
      );
    case 'ready':
      return props.children(detail.value);
    default:
      return detail satisfies never;
  }
}

function Side({ tab, node, detail }: { tab: Exclude<Tab, 'Details'>; node: NodeView; detail: NodeDetail }) {
  switch (tab) {
    case 'Program':
      return detail.program === null ? (
        <p className={classes.note}>There is no program in this answer; see the tab Answer.</p>
      ) : (
        <Copyable label="Copy program" text={detail.program}>
          <ProgramView text={detail.program} label={`Program of node ${node.index}`} />
        </Copyable>
      );
    case 'Changes':
      return <Changes node={node} detail={detail} />;
    case 'Tests':
      return <TestsPanel detail={detail} />;
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
      return <p className={classes.note}>A first attempt: there is no earlier program that it changes.</p>;
    case 'no-program':
      return <p className={classes.note}>There is no program in this answer, so nothing to compare.</p>;
    case 'parent-without-program':
      return <p className={classes.note}>Node {node.parent}, which this refines, has no program.</p>;
    case 'same':
      return <p className={classes.note}>The program is the same as that of node {node.parent}.</p>;
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
  return (
    <div className={classes.scroll}>
      {!detail.promptIsExact && (
        <p className={classes.caution} role="note">
          Not the exact prompt: this version would ask differently from the version that ran.
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
      {detail.prompt.length === 0 && <p className={classes.note}>No prompt is known for this node.</p>}
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
