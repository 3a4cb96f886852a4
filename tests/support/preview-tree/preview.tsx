import '@mantine/core/styles.css';
import '../../../renderer/theme/fonts.css';
import '../../../renderer/theme/tokens.css';
import { MantineProvider } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { TreeView } from '../../../preload/contract';
import { type InspectorTab, NodeInspector } from '../../../renderer/run/inspector';
import { TreeCanvas } from '../../../renderer/run/tree';
import { mantineTheme, mantineVariables } from '../../../renderer/theme';
import { sampleAgents, sampleDetail, sampleTree } from './sample-data';

/** ?show=tree|inspector|run &nodes=60 &scheme=dark &grow=1 &selected=3 &detail=none|loading|failed &deep=1 */
const query = new URLSearchParams(location.search);
const nodes = Number(query.get('nodes') ?? 60);
const scheme = query.get('scheme') === 'dark' ? 'dark' : 'light';

const placed = sampleAgents.map((agent, position) => ({ ...agent, position }));

function useTree(): TreeView {
  const whole = useMemo(
    () => sampleTree(nodes, { deep: query.has('deep'), graded: !query.has('ungraded') }),
    [],
  );
  const [count, setCount] = useState(query.has('grow') ? 0 : nodes);
  useEffect(() => {
    if (count >= nodes) return;
    const timer = setTimeout(() => setCount(count + 1), 60);
    return () => clearTimeout(timer);
  }, [count]);
  return useMemo(() => {
    const searched = count < nodes ? null : whole.searched;
    return { ...whole, nodes: whole.nodes.slice(0, count), searched };
  }, [whole, count]);
}

function Run() {
  const tree = useTree();
  const start = query.get('selected');
  const [tab, setTab] = useState<InspectorTab>('Program');
  const [selected, setSelected] = useState<number | null>(start === null ? null : Number(start));
  const what = query.get('show') ?? 'run';
  const node = selected === null ? null : (tree.nodes[selected] ?? null);
  const state = query.get('detail');
  return (
    <div style={{ display: 'flex', height: '100vh' }}>
      {what !== 'inspector' && (
        <div style={{ flex: 1, minWidth: 0 }}>
          <TreeCanvas
            name="heterogeneous"
            tree={tree}
            agents={placed}
            rule={{ tie: 'earliest', rewardModel: null }}
            selected={selected}
            onSelect={setSelected}
            actionsOf={() => []}
          />
        </div>
      )}
      {what !== 'tree' && (
        <div style={{ width: what === 'run' ? 400 : '100%', borderLeft: '1px solid var(--line)' }}>
          <NodeInspector
            problem={null}
            grading="as-program"
            node={node}
            tree={tree}
            agents={placed}
            scale="pocket"
            answer={null}
            rule={{ tie: 'earliest', rewardModel: null }}
            tab={tab}
            onTab={setTab}
            beliefs={null}
            onChoose={setSelected}
            onShowPrivate={null}
            detail={
              state === 'loading'
                ? { kind: 'loading' }
                : state === 'failed'
                  ? {
                      kind: 'failed',
                      message: 'The journal of this run could not be read: the file is gone.',
                    }
                  : { kind: 'ready', value: sampleDetail }
            }
          />
        </div>
      )}
    </div>
  );
}

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <MantineProvider theme={mantineTheme} cssVariablesResolver={mantineVariables} forceColorScheme={scheme}>
      <Run />
    </MantineProvider>,
  );
}
