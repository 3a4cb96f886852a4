import type { ReportService } from '../../reports/index';
import type { Handlers } from '../dispatch';
import type { LongTasks } from '../long-tasks';

/** Exports of tables, figures and bundles, and opening bundles. */
export function reportHandlers(deps: {
  readonly reports: ReportService;
  readonly tasks: Pick<LongTasks, 'run'>;
}): Handlers {
  const { reports, tasks } = deps;
  return {
    'report.parts': ({ source }) => reports.parts(source),
    'report.write': ({ request, path }) => reports.write({ request, path }),
    'export.write': (request) => reports.writeCsv(request),
    'experiment.export': (request) => reports.writeExperimentCsv(request),
    'report.check': ({ path }) => reports.check(path),
    'bundle.contents': ({ source }) => reports.bundleContents(source),
    'bundle.write': (request) =>
      tasks.run('bundle-writing', (signal, progress) => reports.writeBundle(request, { signal, progress })),
    'bundle.open': ({ path }) =>
      tasks.run('bundle-opening', (signal, progress) => reports.openBundle(path, { signal, progress })),
  };
}
