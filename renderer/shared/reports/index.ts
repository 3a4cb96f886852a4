/** Exports and bundles: the dialog of a study or reproduction, and opening the bundle of another lab. */
export { ExportButton } from './export-button';
export { OpenBundleButton } from './open-bundle-button';
export * from './use-export';
