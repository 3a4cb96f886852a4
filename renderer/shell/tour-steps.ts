/** One step of the tour for new users, and where on the screen it points. */
export type TourStep = {
  readonly title: string;
  readonly text: string;
  /** CSS selector of what it is about; nothing is pointed at where it is not on the screen. */
  readonly at: string;
};

const rail = (label: string): string => `nav[aria-label="Main"] [aria-label="${label}"]`;

/** Four at most: more would not be read. */
export const TOUR: readonly TourStep[] = [
  {
    title: 'Run the quickstart',
    text: 'The quickstart trains two small policies, searches 60 problems with each alone and with two teams, and grades every program.',
    at: '[data-tour="quickstart"]',
  },
  {
    title: 'Inspect any search',
    text: 'In a study every square is a problem. Click it to see its search tree: programs, tests, and why the search made each node. Space replays the search.',
    at: rail('Studies'),
  },
  {
    title: "Reproduce a paper's table",
    text: 'An exhibit is a table or figure of a paper. The workbench plans it, estimates its cost, trains, searches and fills it in next to the paper’s numbers.',
    at: rail('Exhibits'),
  },
  {
    title: 'Find anything',
    text: 'Ctrl+K opens the command palette for any screen, run, problem, machine or action. Press ? for the shortcuts of a screen.',
    at: rail('Home'),
  },
];
