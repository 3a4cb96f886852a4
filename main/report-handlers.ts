import type { Handlers } from './dispatch';
import type { ReportService } from './reports/index';

/** Tables, figures and bundles that leave the workbench, and bundles that come into it. */
export function reportHandlers({ reports }: { readonly reports: ReportService }): Handlers {
  return {
    'report.parts': ({ source }) => reports.parts(source),
    'report.write': (order) => reports.write(order),
    'bundle.write': (order) => reports.writeBundle(order),
    'bundle.open': ({ path }) => reports.openBundle(path),
  };
}
