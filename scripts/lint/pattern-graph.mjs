// The automaton of a regular expression, over symbols that stand for characters that it treats alike.

const NEWLINES = '\n\r\u2028\u2029';
/** Stand for all characters, with those that the pattern names. */
const SAMPLE = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ...['Ω', 'λ', 'ж', '中', '٣', '\u2028', '\u2029', '\u200b', '\u3000', '\ufeff', '\ufffd', '•', '█'],
];

/** Characters that no class of the pattern tells apart are one symbol. `of(node)`: the set of symbols that it matches. */
export function symbolsOf(parsed, flags) {
  const mode = flags.replaceAll(/[gymd]/g, '');
  const named = new Set([...SAMPLE, ...parsed.raw]);
  const tests = new Map();
  visitNodes(parsed, (node) => {
    if (/^(?:Character|CharacterClass|CharacterSet|ExpressionCharacterClass)$/.test(node.type))
      tests.set(node.raw, new RegExp(`^(?:${node.raw})$`, mode));
    for (const { value } of [node, ...(node.type === 'CharacterClass' ? node.elements : [])])
      if (typeof value === 'number') named.add(String.fromCodePoint(value));
  });
  const all = [...tests];
  const bySignature = new Map();
  for (const character of named) {
    const own = all.map(([, test]) => (test.test(character) ? 1 : 0)).join('');
    const signature = `${own}${/\w/.test(character)}${NEWLINES.includes(character)}`;
    // The most readable one is shown.
    const known = bySignature.get(signature);
    if (known === undefined || (!/[ -~]/.test(known) && /[ -~]/.test(character)))
      bySignature.set(signature, character);
  }
  const characters = [...bySignature.values()];
  const matched = new Map(
    all.map(([raw, test]) => [
      raw,
      new Set(characters.flatMap((character, index) => (test.test(character) ? [index] : []))),
    ]),
  );
  const indices = (holds) =>
    new Set(characters.flatMap((character, index) => (holds(character) ? [index] : [])));
  return {
    characters,
    all: indices(() => true),
    words: indices((character) => /\w/.test(character)),
    newlines: indices((character) => NEWLINES.includes(character)),
    of: ({ raw }) => matched.get(raw),
  };
}

function visitNodes(node, act) {
  act(node);
  if (node.type === 'CharacterClass') return;
  for (const child of [...(node.alternatives ?? []), ...(node.elements ?? [])]) visitNodes(child, act);
  if (node.type === 'Quantifier') visitNodes(node.element, act);
}

/**
 * Positions, each a place of the pattern that takes one character: { symbols, next: [{ to, allows }], accepts, runsOut }.
 * `allows` says for the symbols before and after an edge whether its word boundaries and lookbehinds hold; where a
 * position accepts, the match can end without giving up, and where it runs out, at the latest at the end of the text.
 */
export function buildGraph(alternatives, { flags, symbols, bodies, searches }) {
  const { states, start, end } = buildStates(alternatives, symbols, bodies);
  const isMultiline = flags.includes('m');
  const positions = [];
  const addPosition = (own, state, mayStart, needsStart = false) => {
    const { next, accepts } = edgesFrom(states, { state, end, mayStart, needsStart });
    const position = {
      symbols: own,
      accepts: accepts.some((conditions) => conditions.length === 0),
      runsOut: accepts.some((conditions) => holdsAtEnd(conditions, own, isMultiline, symbols)),
      next: next.map(({ edge, conditions }) => {
        const allows = conditions.map((condition) => allowsOf(condition, symbols)).filter(Boolean);
        return { to: edge, allows: (before, after) => allows.every((holds) => holds(before, after)) };
      }),
    };
    return positions.push(position) - 1;
  };
  const positionAt = new Map();
  for (const edge of states.flat())
    if (edge.symbols !== undefined) {
      const mayStart = isMultiline && meets(edge.symbols, symbols.newlines);
      positionAt.set(edge, addPosition(edge.symbols, edge.to, mayStart));
    }
  const search = searches ? addPosition(symbols.all, start, false) : null;
  const line = searches && isMultiline ? addPosition(symbols.newlines, start, true, true) : null;
  for (const position of positions)
    position.next = position.next.map(({ to, allows }) => ({ to: positionAt.get(to), allows }));
  const always = () => true;
  if (search !== null) positions[search].next.push({ to: search, allows: always });
  if (line !== null) positions[search].next.push({ to: line, allows: always });
  return { positions, characters: symbols.characters };
}

/**
 * The automaton of the pattern: of each state its edges, which take a character (`symbols`), ask for a condition, or
 * enter or leave a loop. The bodies of lookarounds are added to `bodies`.
 */
function buildStates(alternatives, symbols, bodies) {
  const states = [];
  const addState = () => states.push([]) - 1;
  const connect = (from, to, label = {}) => states[from].push({ to, ...label });
  let loops = 0;

  const addElement = (node, from) => {
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return addAlternatives(node.alternatives, from);
    if (node.type === 'Quantifier') return addQuantifier(node, from);
    if (node.type === 'Backreference') return from;
    const to = addState();
    if (node.type === 'Assertion') {
      if (node.alternatives !== undefined) bodies.push(node.alternatives);
      connect(from, to, { condition: node });
    } else connect(from, to, { symbols: symbols.of(node) });
    return to;
  };
  const addAlternatives = (list, from) => {
    const to = addState();
    for (const { elements } of list)
      connect(
        elements.reduce((at, node) => addElement(node, at), from),
        to,
      );
    return to;
  };
  const addQuantifier = ({ element, min, max }, from) => {
    let at = from;
    for (let copy = 0; copy < Math.min(min, 2); copy++) at = addElement(element, at);
    if (max === min) return at;
    const loop = loops++;
    const out = addState();
    if (max === Number.POSITIVE_INFINITY) {
      const head = addState();
      connect(at, head);
      const body = addState();
      connect(head, body, { enters: loop });
      connect(addElement(element, body), head, { leaves: loop });
      connect(head, out);
      return out;
    }
    for (let copy = 0; copy < Math.min(max - min, 2); copy++) {
      connect(at, out);
      const body = addState();
      connect(at, body, { enters: loop });
      const end = addState();
      connect(addElement(element, body), end, { leaves: loop });
      at = end;
    }
    connect(at, out);
    return out;
  };

  const start = addState();
  const end = addAlternatives(alternatives, start);
  return { states, start, end };
}

/** Where the pattern can continue from a state without a character. `mayStart`: does `^` hold here? */
function edgesFrom(states, { state, end, mayStart, needsStart }) {
  const next = [];
  const accepts = [];
  const walk = (at, conditions, entered, seen, started) => {
    if (at === end && (started || !needsStart)) accepts.push(conditions);
    for (const edge of states[at]) {
      if (edge.symbols !== undefined) {
        if (started || !needsStart) next.push({ edge, conditions });
        continue;
      }
      if (seen.has(edge.to)) continue;
      if (edge.leaves !== undefined && entered.includes(edge.leaves)) continue; // an empty round is none
      const { condition } = edge;
      const isStart = condition?.kind === 'start';
      if (isStart && !mayStart) continue;
      walk(
        edge.to,
        condition === undefined || isStart ? conditions : [...conditions, condition],
        edge.enters === undefined ? entered : [...entered, edge.enters],
        new Set(seen).add(edge.to),
        started || isStart,
      );
    }
  };
  walk(state, [], [], new Set([state]), false);
  return { next, accepts };
}

const meets = (a, b) => [...a].some((symbol) => b.has(symbol));

/** Does all that is asked hold where the position's characters end, at another character or at the end of the text? */
function holdsAtEnd(conditions, own, isMultiline, symbols) {
  const others = [...symbols.all].filter((symbol) => !own.has(symbol));
  return conditions.every((condition) => {
    const { kind, negate } = condition;
    if (kind === 'end') return others.every((symbol) => isMultiline && symbols.newlines.has(symbol));
    const matched = singlesOf(condition, symbols);
    return (
      kind === 'lookahead' && negate && matched !== null && !others.some((symbol) => matched.has(symbol))
    );
  });
}

/** What a condition asks of the symbols before and after it; undefined: nothing that is known here. */
function allowsOf(condition, symbols) {
  const { kind, negate } = condition;
  const { words } = symbols;
  if (kind === 'word') return (before, after) => (words.has(before) !== words.has(after)) !== negate;
  const matched = singlesOf(condition, symbols);
  if (matched === null) return undefined;
  return (before, after) => matched.has(kind === 'lookbehind' ? before : after) !== negate;
}

/** The symbols that a lookaround of one character matches; null for others. */
function singlesOf({ kind, alternatives }, { of }) {
  if (kind !== 'lookbehind' && kind !== 'lookahead') return null;
  const isSingle = ({ elements }) => elements.length === 1 && of(elements[0]) !== undefined;
  return alternatives.every(isSingle)
    ? new Set(alternatives.flatMap(({ elements }) => [...of(elements[0])]))
    : null;
}
