import { useWorkbench } from '../state/index';
import { type ContextAction, copyText } from '../widgets/index';
import type { RunSide } from './run-side';
import { useTrees } from './trees-context';

/** What the context menu of a node offers, in the tree and in the table: tabs of its inspector, and its program. */
export function useNodeActions(
  side: RunSide,
  onSelect: (node: number | null) => void,
): (index: number) => readonly ContextAction[] {
  const { client, notices } = useWorkbench();
  const { problemId, route, setTab } = useTrees();
  const { id: runId } = side.run;
  const copyProgram = async (index: number): Promise<void> => {
    if (problemId === null) return;
    const answer = await client.call('node.read', { runId, problemId, part: route.part, index });
    if (!answer.ok) return notices.showRefusal(answer.error);
    const { program } = answer.value;
    if (program !== null) void copyText(program);
    else notices.show({ level: 'info', message: `The answer of node ${index} contains no program.` });
  };
  return (index) => {
    const show = (tab: 'Program' | 'Tests' | 'Why') => () => {
      setTab(tab);
      onSelect(index);
    };
    return [
      { label: 'Open', run: show('Program') },
      { label: 'Tests of this node', run: show('Tests') },
      { label: 'Why this node', run: show('Why') },
      { label: 'Copy program', run: () => void copyProgram(index) },
    ];
  };
}
