const SERIES = 8;

/** The CSS colour (a reference to a token) of a hue; they begin again after the eighth. */
export function configurationColor(hue: number): string {
  return `var(--series-${(Math.max(0, hue) % SERIES) + 1})`;
}

export type AgentShape = 'circle' | 'square' | 'triangle' | 'diamond';
export type AgentStyle = { readonly shape: AgentShape; readonly color: string };

const SHAPES: readonly AgentShape[] = ['circle', 'square', 'triangle', 'diamond'];

/** Shape and CSS colour of an agent (plans: `agentPositions`); the first four differ in both, further ones have other pairs. */
export function agentStyle(position: number): AgentStyle {
  const known = Math.max(0, position);
  const color = known % SHAPES.length;
  const shape = SHAPES[(color + Math.floor(known / SHAPES.length)) % SHAPES.length] ?? 'circle';
  return { shape, color: `var(--agent-${color + 1})` };
}
