/**
 * A name of people as an id: lower-case letters a-z without their accents, digits and single dashes, and dots where `dots`; none of them at
 * either end. At most `most` characters long. Empty when nothing of the name is left: the caller knows what to call it.
 */
export function plainId(
  name: string,
  { most = Number.POSITIVE_INFINITY, dots = false }: { readonly most?: number; readonly dots?: boolean } = {},
): string {
  return (
    name
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(dots ? /[^a-z0-9.]+/g : /[^a-z0-9]+/g, '-')
      // Cut first: a dash that the cut leaves at the end is trimmed too.
      .slice(0, most)
      .replace(/^[.-]+|(?<![.-])[.-]+$/g, '')
  );
}
