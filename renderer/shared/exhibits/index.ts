/** Parts about exhibits that several screens show: a small picture of the current state. */
export { ExhibitThumbnail, FilledThumbnail, ThumbnailLegend } from './exhibit-thumbnail';
export { latestProgress, progressOf } from './latest-progress';
