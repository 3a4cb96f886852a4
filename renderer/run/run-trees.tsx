import { useMemo } from 'react';
import { runLabel } from '../state/index';
import { useStable } from '../widgets/index';
import { NoTree } from './no-tree';
import { type BestLine, ReplayBar } from './replay/index';
import styles from './run.module.css';
import { NothingBeside, TreeSide } from './tree-side';
import { useTrees } from './trees-context';

/** One tree or two side by side, over the slider that leads through their searches. */
export function RunTrees(props: { readonly tab: 'tree' | 'nodes'; readonly damaged: boolean }) {
  const { tab, damaged } = props;
  const { main, beside, looked, replay, hindsight, setHindsight, go } = useTrees();
  const { study, run, tree } = main.side;
  const others = useMemo(
    () =>
      study.runs
        .filter(({ id }) => id !== run.id)
        .map((other) => ({ id: other.id, label: runLabel(study, other) })),
    [study, run.id],
  );
  const choose = useStable(main.choose);
  const putBeside = useStable((runId: string | null) => go({ beside: runId }));
  const lines = [main, ...(beside === null ? [] : [beside])].map(
    ({ side }): BestLine => ({
      id: side.run.id,
      color: side.color,
      changes: side.changes,
      total: side.tree?.nodes.length ?? 0,
    }),
  );
  return (
    <div className={styles.trees}>
      <div className={styles.sides} data-two={beside !== null || undefined}>
        <TreeSide
          side={main.side}
          shown={main.shown}
          tab={tab}
          selected={main.selected}
          onSelect={main.choose}
          headed={beside !== null}
          looked={looked === main}
          nothing={<NoTree part={tree?.part ?? 'search'} tree={tree} damaged={damaged} />}
        />
        {beside !== null && (
          <TreeSide
            side={beside.side}
            shown={beside.shown}
            tab={tab}
            selected={beside.selected}
            onSelect={beside.choose}
            headed
            looked={looked === beside}
            onClose={() => go({ beside: null })}
            nothing={<NothingBeside label={beside.side.label} />}
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
        beside={beside?.side.run.id ?? null}
        onBeside={putBeside}
      />
    </div>
  );
}
