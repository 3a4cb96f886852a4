/**
 * Exhibits: tables and figures of papers as data (docs/exhibits.md). Built-in ones are in resources/exhibits, a lab's
 * own in the data folder. Entry: an exhibit with its origin. Problem: an error in a file, with its location.
 */
export { createExhibitLibrary, type ExhibitLibrary } from './exhibit-library';
export { atHandExhibit, type DeskFilling, deskExhibit, rowsProblem } from './logic/desk-exhibit';
