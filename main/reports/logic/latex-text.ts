/** Characters with a special meaning in LaTeX, or that pdfLaTeX's fonts lack under their own code. */
const WRITTEN: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '\u00b2': '\\textsuperscript{2}',
  '\u00b3': '\\textsuperscript{3}',
  '\u00b9': '\\textsuperscript{1}',
  '\u00b1': '\\ensuremath{\\pm}',
  '\u00b7': '\\ensuremath{\\cdot}',
  '\u00d7': '\\ensuremath{\\times}',
  '\u2212': '\\ensuremath{-}',
  '\u2013': '--',
  '\u2014': '---',
  '\u2018': '`',
  '\u2019': "'",
  '\u201c': '``',
  '\u201d': "''",
  '\u2026': '\\ldots{}',
  '\u00a7': '\\textsuperscript{\\S}',
  '\u2020': '\\textsuperscript{\\textdagger}',
  '\u2021': '\\textsuperscript{\\textdaggerdbl}',
  '\u221e': '\\ensuremath{\\infty}',
  '\u2192': '\\ensuremath{\\rightarrow}',
  '\u2264': '\\ensuremath{\\leq}',
  '\u2265': '\\ensuremath{\\geq}',
  '\u0394': '\\ensuremath{\\Delta}',
  '\u03b1': '\\ensuremath{\\alpha}',
  '\u03b2': '\\ensuremath{\\beta}',
  '\u03b3': '\\ensuremath{\\gamma}',
  '\u03bb': '\\ensuremath{\\lambda}',
  '\u03c4': '\\ensuremath{\\tau}',
};

/**
 * Escapes a text, so that LaTeX shows it unchanged. Other letters stay: pdfLaTeX has the Latin ones, XeLaTeX and
 * LuaLaTeX all of the document's font. Line ends become spaces, so that no text can end a comment.
 */
export function latexText(text: string): string {
  let written = '';
  for (const character of text.replace(/\s+/g, ' ')) {
    // A quotation opens where a word begins.
    if (character === '"') written += /(^|[\s([])$/.test(written) ? '``' : "''";
    else written += Object.hasOwn(WRITTEN, character) ? WRITTEN[character] : character;
  }
  return written;
}
