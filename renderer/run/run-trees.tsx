import { useMemo } from 'react';
import { runLabel } from '../text/metrics';
import { useStableCallback } from '../widgets/index';
import { type BestLine, ReplayBar } from './replay/index';
import styles from './run.module.css';
import { NoSecondTree, NoTree, TreeSide } from './tree-side';
import { useTrees } from './trees-context';

/** One tree or two side by side, above the replay controls. */
export function RunTrees(props: { readonly tab: 'tree' | 'nodes'; readonly damaged: boolean }) {
  const { tab, damaged } = props;
  const { main, second, active, replay, hindsight, setHindsight, go } = useTrees();
  const { study, run, tree } = main.side;
  const others = useMemo(
    () =>
      study.runs
        .filter(({ id }) => id !== run.id)
        .map((other) => ({ id: other.id, label: runLabel(study, other) })),
    [study, run.id],
  );
  const choose = useStableCallback(main.choose);
  const showSecond = useStableCallback((runId: string | null) => go({ second: runId }));
  const lines = [main, ...(second === null ? [] : [second])].map(
    ({ side }): BestLine => ({
      id: side.run.id,
      color: side.color,
      changes: side.changes,
      total: side.tree?.nodes.length ?? 0,
    }),
  );
  return (
    <div className={styles.trees}>
      <div className={styles.sides} data-two={second !== null || undefined}>
        <TreeSide
          side={main.side}
          shown={main.shown}
          tab={tab}
          selected={main.selected}
          onSelect={main.choose}
          headed={second !== null}
          active={active === main}
          emptyState={<NoTree part={tree?.part ?? 'search'} tree={tree} damaged={damaged} />}
        />
        {second !== null && (
          <TreeSide
            side={second.side}
            shown={second.shown}
            tab={tab}
            selected={second.selected}
            onSelect={second.choose}
            headed
            active={active === second}
            onClose={() => go({ second: null })}
            emptyState={<NoSecondTree label={second.side.label} />}
          />
        )}
      </div>
      <ReplayBar
        replay={replay}
        lines={lines}
        hindsight={hindsight}
        onHindsight={setHindsight}
        onChoose={choose}
        others={others}
        secondRunId={second?.side.run.id ?? null}
        onSecondRun={showSecond}
      />
    </div>
  );
}
