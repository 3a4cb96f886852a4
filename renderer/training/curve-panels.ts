import { agentPosition } from '../../preload/contract/plans/index';
import type { TrainingCurve } from '../../preload/contract/training';
import { type CurveKey, compareKeys, curveKey, quantityLabel } from '../text/training-curves';
import { agentStyle, configurationColor } from '../theme/index';
import type { Points } from '../widgets/chart-scale';
import { meanOf } from '../widgets/curve-mean';
import type { ChartLine } from '../widgets/line-chart';
import { type Smoothing, smoothed } from '../widgets/smoothing';
import { type CurveAxis, type TimeUnit, xsOf } from './curve-axis';
import type { Member } from './members';

export type CurvePart = TrainingCurve['part'];

/** One quantity of one part: a small chart. */
export type Panel = {
  readonly id: string;
  readonly key: CurveKey;
  readonly part: CurvePart;
  readonly title: string;
};

export type CurveOptions = {
  readonly axis: CurveAxis;
  readonly unit: TimeUnit;
  readonly smoothing: Smoothing;
  /** With several trainings: a line per agent, or one for their mean. */
  readonly agents: 'each' | 'mean';
};

/**
 * Drops quantities measured only once, unless nothing else was measured: a single point is not a curve, and the
 * evaluation tab shows it.
 */
export function withoutSinglePoints(members: readonly Member[]): readonly Member[] {
  const isCurve = ({ steps }: TrainingCurve): boolean => steps.length > 1;
  if (!members.some(({ curves }) => curves.some(isCurve))) return members;
  return members.map((member) => ({ ...member, curves: member.curves.filter(isCurve) }));
}

/** The charts for these trainings, in display order. `part` null: all parts. */
export function panelsOf(members: readonly Member[], part: CurvePart | null): readonly Panel[] {
  const panels = new Map<string, Panel>();
  const [heldOut = null, ...otherNumbers] = new Set(members.map((member) => member.heldOut));
  for (const curve of members.flatMap(({ curves }) => curves)) {
    if (part !== null && curve.part !== part) continue;
    const id = `${curve.part} ${curve.key}`;
    if (panels.has(id)) continue;
    const key = curveKey(curve.key);
    const unit = key.unit === 'share' ? ', %' : '';
    const title = `${quantityLabel(key, curve.part, otherNumbers.length === 0 ? heldOut : null)}${unit}`;
    panels.set(id, { id, key, part: curve.part, title });
  }
  const order: readonly CurvePart[] = ['evaluation', 'train', 'other'];
  return [...panels.values()].sort(
    (a, b) => compareKeys(a.key.key, b.key.key) || order.indexOf(a.part) - order.indexOf(b.part),
  );
}

/** Identity and style of a line, the same in every chart. */
export type LineName = Pick<ChartLine, 'id' | 'label' | 'color' | 'shape'> & {
  readonly members: readonly Member[];
  /** The agent whose curves it shows; 'all': their mean. `null`: values that the trainer logs for no single agent. */
  readonly agent: { readonly id: string | null } | 'all';
};

/** The lines of every chart: with one training a line per agent; with several a line per group, or per agent of a group. */
export function lineNames(members: readonly Member[], agents: CurveOptions['agents']): readonly LineName[] {
  const [only, ...others] = members;
  if (only === undefined) return [];
  if (others.length === 0) {
    return agentsOf([only]).map(({ id, name, shape, color }) => ({
      id: `${id}`,
      label: name,
      shape,
      color,
      members,
      agent: { id },
    }));
  }
  return groupsOf(members).flatMap<LineName>((group, position) => {
    const [first] = group;
    if (first === undefined) return [];
    const color = configurationColor(position);
    const seeds = group.length > 1 ? `, ${group.length} seeds` : '';
    const panel = { id: first.group, color, members: group };
    if (agents === 'mean' || first.agents.length < 2) {
      const { shape } = agentStyle(0);
      return [{ ...panel, label: `${first.label}${seeds}`, shape, agent: 'all' }];
    }
    return agentsOf(group).map(({ id, name, shape }) => ({
      ...panel,
      id: `${first.group} ${id}`,
      label: `${first.label}: ${name}${seeds}`,
      shape,
      agent: { id },
    }));
  });
}

/** Groups trainings that differ only in their seed, in order of first appearance. */
function groupsOf(members: readonly Member[]): readonly (readonly Member[])[] {
  const groups = new Map<string, Member[]>();
  for (const member of members) groups.set(member.group, [...(groups.get(member.group) ?? []), member]);
  return [...groups.values()];
}

/** The agents of a group, then an entry for values of no single agent if such are logged. */
function agentsOf(members: readonly Member[]) {
  const agents = members[0]?.agents ?? [];
  const isLoggedOfNone = members.some(({ curves }) => curves.some(({ agentId }) => agentId === null));
  const none = { id: null, name: agents.length > 1 ? 'all agents' : 'the run' };
  return [
    ...agents.map(({ id, name }) => ({ id, name, ...agentStyle(agentPosition(agents, id)) })),
    ...(isLoggedOfNone ? [{ ...none, shape: 'diamond' as const, color: 'var(--series-8)' }] : []),
  ];
}

type Drawn = { readonly smooth: Points; readonly raw: Points | null };

/** The lines of one chart; lines without values are left out. */
export function linesOf(panel: Panel, names: readonly LineName[], shown: CurveOptions): readonly ChartLine[] {
  // Evaluations are few and each over many answers: a mean of some of them would only be another number than the head has.
  const options: CurveOptions = panel.part === 'evaluation' ? { ...shown, smoothing: 0 } : shown;
  return names.flatMap<ChartLine>(({ id, label, color, shape, members, agent }) => {
    const named = { id, label, color, shape };
    const drawn = members.flatMap((member) => {
      const curves = member.curves.filter(
        ({ key, part, agentId }) =>
          key === panel.key.key && part === panel.part && (agent === 'all' || agentId === agent.id),
      );
      return meanOverAgents(curves.flatMap((curve) => drawnPoints(curve, member, options)));
    });
    const [first] = drawn;
    if (first === undefined) return [];
    if (drawn.length === 1) {
      const raw = options.smoothing === 0 ? null : first.raw;
      return [{ ...named, points: first.smooth, raw, band: null, counts: null }];
    }
    const mean = meanOf(drawn.map(({ smooth }) => smooth));
    const areSome = mean.counts.some((count) => count < drawn.length);
    return [{ ...named, points: mean, raw: null, band: mean, counts: areSome ? mean.counts : null }];
  });
}

/** The mean over the agents of one training; the raw curve is kept only for a single agent. */
function meanOverAgents(agents: readonly Drawn[]): readonly Drawn[] {
  return agents.length < 2 ? agents : [{ smooth: meanOf(agents.map(({ smooth }) => smooth)), raw: null }];
}

function drawnPoints(curve: TrainingCurve, member: Member, options: CurveOptions): readonly Drawn[] {
  const xs = xsOf(curve, options.axis, options.unit, member.gpus);
  if (xs === null || xs.length === 0) return [];
  const raw = { xs, ys: curve.values };
  return [{ smooth: { xs, ys: smoothed(curve.steps, curve.values, options.smoothing) }, raw }];
}

/** The end of the x axis that all charts share. */
export function xEndOf(members: readonly Member[], axis: CurveAxis, unit: TimeUnit): number {
  let end = 0;
  for (const member of members) {
    for (const curve of member.curves) end = Math.max(end, xsOf(curve, axis, unit, member.gpus)?.at(-1) ?? 0);
  }
  return end;
}
