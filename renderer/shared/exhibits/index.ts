/** What several screens show of exhibits: a small picture of one as it stands. */
export { ExhibitThumbnail, FilledThumbnail, ThumbnailLegend } from './exhibit-thumbnail';
export { latestProgress, progressOf } from './latest-progress';
