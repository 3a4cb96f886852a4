/** What a step of a reproduction calls itself where it needs a server; studies give their ids. */
export function reproductionOwner(reproductionId: string, stepId: string): string {
  return `reproduction:${reproductionId}/${stepId}`;
}

export function isStudy(owner: string): boolean {
  return !owner.startsWith('reproduction:');
}
