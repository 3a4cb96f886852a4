/**
 * Exhibits: tables and figures of papers as data (docs/exhibits.md). Built-in ones lie in resources/exhibits, a lab's own
 * in the data folder. entry: an exhibit with where it comes from. problem: what is wrong in a file, and where.
 */
export { createExhibitLibrary, type ExhibitLibrary, type ExhibitListing } from './exhibit-library';
