/** One thing that a newcomer has to know, and where on the screen it is. */
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
    title: 'Run something real',
    text: 'The quickstart trains two small policies, searches 60 problems with three teams and grades every program. Minutes, on this computer.',
    at: '[data-tour="quickstart"]',
  },
  {
    title: 'Look into any search',
    text: 'In a study every square is a problem, and opens its search tree: programs, tests, and why the search made each node. Space plays a search again.',
    at: rail('Studies'),
  },
  {
    title: "Reproduce a paper's table",
    text: 'An exhibit is a table or figure of a paper. One press plans it, tells its cost, trains, searches and fills it, beside the paper’s numbers.',
    at: rail('Exhibits'),
  },
  {
    title: 'Find everything by typing',
    text: 'Ctrl+K goes to any screen, run, problem or machine, and does what buttons do. The question mark shows the keys of a screen.',
    at: rail('Home'),
  },
];
