import { useElementSize } from '@mantine/hooks';
import { memo, useMemo, useState } from 'react';
import type { PlanStep, ReproductionStep } from '../../preload/contract/reproduction';
import { STEP_KIND_NAMES, STEP_KINDS, stepStatus } from '../text/exhibits';
import { count } from '../widgets/index';
import { type GraphNode, lineageOf, planGraph, stepTone } from './plan-graph';
import styles from './plan-graph.module.css';

const HEIGHT = 200;
const HALF = 26;

/**
 * The plan as a graph from training to cell: a node per step, lines from its dependencies. Hovering a node highlights
 * its dependencies and dependents.
 */
export function PlanGraphView({ steps }: { readonly steps: readonly (PlanStep | ReproductionStep)[] }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<string | null>(null);
  // States change often; positions only when the list of steps does.
  const shape = steps.map(({ id }) => id).join('\n');
  const graph = useMemo(
    () => planGraph(steps, STEP_KINDS, { width: Math.max(1, width), height: HEIGHT }),
    [shape, width],
  );
  const lineage = useMemo(() => (pointed === null ? null : lineageOf(steps, pointed)), [shape, pointed]);
  const tones = useMemo(() => new Map(steps.map((step) => [step.id, stepTone(step)])), [steps]);
  const shown = steps.find(({ id }) => id === pointed);
  return (
    <figure className={styles.picture} aria-label="Plan graph">
      <div className={styles.lanes}>
        {graph.columns.map(({ kind, count: many }) => (
          <span key={kind}>
            <b>{count(many)}</b> {STEP_KIND_NAMES[kind][many === 1 ? 0 : 1]}
          </span>
        ))}
      </div>
      <div ref={ref}>
        <svg width={width} height={HEIGHT} role="img" aria-label={graphLabel(graph.columns)}>
          <Edges edges={graph.edges} lineage={lineage} />
          {graph.nodes.map(({ step, x, y, height }) => (
            <rect
              key={step.id}
              className={styles.node}
              data-tone={tones.get(step.id)}
              data-faint={(lineage !== null && !lineage.has(step.id)) || undefined}
              x={x - HALF}
              y={y - height / 2}
              width={HALF * 2}
              height={height}
              rx={Math.min(2, height / 3)}
              onPointerEnter={() => setPointed(step.id)}
              onPointerLeave={() => setPointed(null)}
            />
          ))}
        </svg>
      </div>
      <figcaption>
        {shown === undefined ? (
          <Legend tones={new Set(tones.values())} />
        ) : (
          <>
            {shown.title}
            {'state' in shown ? `: ${stepStatus(shown.state).text.toLowerCase()}` : ''}
          </>
        )}
      </figcaption>
    </figure>
  );
}

function graphLabel(columns: readonly { readonly kind: PlanStep['kind']; readonly count: number }[]): string {
  return columns
    .map(({ kind, count: many }) => `${many} ${STEP_KIND_NAMES[kind][many === 1 ? 0 : 1]}`)
    .join(', then ');
}

const Edges = memo(function Edges(props: {
  readonly edges: readonly { readonly from: GraphNode<PlanStep>; readonly to: GraphNode<PlanStep> }[];
  readonly lineage: ReadonlySet<string> | null;
}) {
  const { edges, lineage } = props;
  const path = (wanted: boolean): string =>
    edges
      .filter(({ from, to }) => wanted === (lineage?.has(from.step.id) === true && lineage.has(to.step.id)))
      .map(({ from, to }) => {
        const [x1, x2] = [from.x + HALF, to.x - HALF];
        const middle = (x1 + x2) / 2;
        return `M${x1} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${x2} ${to.y}`;
      })
      .join('');
  return (
    <>
      <path className={styles.edges} data-faint={lineage !== null || undefined} d={path(false)} />
      {lineage !== null && <path className={styles.highlighted} d={path(true)} />}
    </>
  );
});

const TONES = [
  { tone: 'planned', label: 'planned' },
  { tone: 'running', label: 'running' },
  { tone: 'done', label: 'done' },
  { tone: 'reused', label: 'reused' },
  { tone: 'failed', label: 'failed' },
  { tone: 'blocked', label: 'blocked by a failed step' },
  { tone: 'missing', label: 'requirement missing' },
] as const;

function Legend({ tones }: { readonly tones: ReadonlySet<string> }) {
  return TONES.filter(({ tone }) => tones.has(tone)).map(({ tone, label }) => (
    <span key={tone} className={styles.tone}>
      <svg width="12" height="8" aria-hidden="true">
        <rect className={styles.node} data-tone={tone} x="0.5" y="0.5" width="11" height="7" rx="1.5" />
      </svg>
      {label}
    </span>
  ));
}
