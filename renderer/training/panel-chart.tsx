import { memo, useCallback, useMemo } from 'react';
import { tickWords, valueWords } from '../state/index';
import { LineChart } from '../widgets/line-chart';
import { xWords } from './curve-axis';
import { type LineName, type Look, linesOf, type Panel } from './curve-panels';

/** One quantity as a small chart. */
export const PanelChart = memo(function PanelChart(props: {
  readonly panel: Panel;
  readonly names: readonly LineName[];
  readonly look: Look;
  readonly over: string;
  readonly xEnd: number;
  readonly cursor: number | null;
  readonly onCursor: (x: number | null) => void;
  readonly stressed: string | null;
}) {
  const { panel, names, look, over, xEnd, cursor, onCursor, stressed } = props;
  const { unit } = panel.key;
  const lines = useMemo(() => linesOf(panel, names, look), [panel, names, look]);
  const words = useCallback((value: number) => valueWords(unit, value), [unit]);
  const ticks = useCallback((value: number, step: number) => tickWords(unit, value, step), [unit]);
  return (
    <LineChart
      title={panel.title}
      hint={panel.key.hint}
      lines={lines}
      over={over}
      xEnd={xEnd}
      cursor={cursor}
      onCursor={onCursor}
      words={words}
      tickWords={ticks}
      xWords={xWords}
      stressed={stressed}
    />
  );
});
