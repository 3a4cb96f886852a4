/** Names and key words, numbers, texts in quotes, then signs; comments and spaces are no tokens. */
const TOKEN =
  /#[^\n]*|[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\*\*=?|\/\/=?|<<=?|>>=?|[-+*/%&|^=!<>:@]=|->|[^\s\w]/gu;

/** How often each token of the programs comes in each of them: vectors over their common vocabulary. */
export function tokenCounts(programs: readonly string[]): Float64Array[] {
  const vocabulary = new Map<string, number>();
  const indices = programs.map((program) => {
    const own: number[] = [];
    for (const [token] of program.matchAll(TOKEN)) {
      if (token.startsWith('#')) continue;
      let index = vocabulary.get(token);
      if (index === undefined) {
        index = vocabulary.size;
        vocabulary.set(token, index);
      }
      own.push(index);
    }
    return own;
  });
  return indices.map((own) => {
    const counts = new Float64Array(vocabulary.size);
    for (const index of own) counts[index] = (counts[index] as number) + 1;
    return counts;
  });
}
