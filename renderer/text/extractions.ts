/** How the program is extracted from an answer. */
export const EXTRACTIONS = [
  { value: 'last-fence', label: 'Last code block (LiveCodeBench)' },
  { value: 'python-fence', label: 'Last Python code block (MARTI)' },
  { value: 'completion', label: 'Continuation of the starter code' },
  { value: 'whole', label: 'Whole answer' },
] as const;
