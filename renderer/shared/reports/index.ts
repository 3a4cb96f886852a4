/** Exports and bundles: the menu of a study or reproduction, and opening the bundle of another lab. */
export { OpenBundleButton } from './open-bundle-button';
export { ReportMenu } from './report-menu';
export * from './use-reports';
