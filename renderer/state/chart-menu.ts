import { useCallback } from 'react';
import { plainId } from '../../preload/contract/plans/plain-id';
import type { ReportSource } from '../../preload/contract/report';
import { lastExport, writeExport } from './exports';
import { useWorkbench } from './hooks';
import type { Curves } from './use-curves';
import type { WorkbenchState } from './workbench-state';

/** The figure of a report that shows what a chart shows. */
type ChartReport = {
  readonly source: ReportSource;
  /** Its measure and what it runs over. */
  readonly measure: string;
  readonly axis: string;
};

type ChartAction = { readonly label: string; readonly run: () => void };

/**
 * What the context menu of a chart offers: its picture as it is seen, and the files of its figure.
 * @param title - names the picture
 * @param report - null: no report has this chart, so that only what is seen can be saved
 */
export function useChartMenu(
  title: string,
  report: ChartReport | null,
): (chart: Element) => readonly ChartAction[] {
  const workbench = useWorkbench();
  // Each rendering makes a new source object, so its content decides.
  const key = JSON.stringify(report);
  return useCallback(
    (chart) => [
      { label: 'Copy picture', run: () => void copyPicture(workbench, title, chart) },
      ...(report === null
        ? [{ label: 'Save as PNG…', run: () => void savePicture(workbench, title, chart) }]
        : (['png', 'pdf', 'csv'] as const).map((format) => ({
            label: `Save as ${format.toUpperCase()}…`,
            run: () => void saveFigure(workbench, report, format),
          }))),
    ],
    [workbench, title, key],
  );
}

/** The menu of the chart of `curves`, of which the report of `source` has a figure. */
export function useCurveMenu(
  { name, measure, axis }: Curves,
  source: ReportSource,
): ReturnType<typeof useChartMenu> {
  return useChartMenu(name, { source, measure: measure.chosen, axis: axis.chosen });
}

function saveFigure(
  workbench: WorkbenchState,
  { source, measure, axis }: ChartReport,
  format: 'png' | 'pdf' | 'csv',
): Promise<boolean> {
  const { width } = lastExport();
  return writeExport(workbench, source, [{ part: plainId(`${measure} ${axis}`), format, width }]);
}

async function copyPicture(
  { client, notices }: WorkbenchState,
  title: string,
  chart: Element,
): Promise<void> {
  const answer = await client.call('picture.copy', { area: await areaOf(chart) });
  if (!answer.ok) notices.showRefusal(answer.error);
  else notices.show({ level: 'info', message: `Copied the picture of "${title}".` });
}

async function savePicture(
  { client, notices }: WorkbenchState,
  title: string,
  chart: Element,
): Promise<void> {
  const name = plainId(title, { most: 80 }) || 'chart';
  const answer = await client.call('picture.choose', { area: await areaOf(chart), name });
  if (!answer.ok) notices.showRefusal(answer.error);
  else notices.showWritten(`Saved the picture of "${title}" in ${answer.value.path}`, answer.value.path);
}

/** Where a chart is in the window, once the menu that was over it is gone. */
async function areaOf(chart: Element): Promise<{ x: number; y: number; width: number; height: number }> {
  for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => requestAnimationFrame(drawn));
  const { left, top, right, bottom } = chart.getBoundingClientRect();
  const [x, y] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  return { x, y, width: Math.max(1, Math.ceil(right) - x), height: Math.max(1, Math.ceil(bottom) - y) };
}
