/**
 * All eigenvalues of a real symmetric matrix (`size` x `size`, row by row; used up), in no order: Householder's
 * tridiagonal form, then implicit QR steps with Wilkinson's shift (Golub and Van Loan, Matrix Computations, 8.3).
 */
export function symmetricEigenvalues(matrix: Float64Array, size: number): Float64Array {
  const { diagonal, offDiagonal } = tridiagonal(matrix, size);
  const scale = diagonal.reduce((sum, value) => sum + Math.abs(value), 0);
  const isZero = (i: number): boolean => Math.abs(offDiagonal[i] as number) <= Number.EPSILON * scale;
  let last = size - 1;
  while (last > 0) {
    if (isZero(last - 1)) {
      last -= 1;
      continue;
    }
    let first = last - 1;
    while (first > 0 && !isZero(first - 1)) first -= 1;
    shiftedStep(diagonal, offDiagonal, first, last);
  }
  return diagonal;
}

type Tridiagonal = { readonly diagonal: Float64Array; readonly offDiagonal: Float64Array };

function tridiagonal(matrix: Float64Array, size: number): Tridiagonal {
  const diagonal = new Float64Array(size);
  const offDiagonal = new Float64Array(Math.max(0, size - 1));
  const mirror = new Float64Array(size);
  const image = new Float64Array(size);
  for (let k = 0; k < size - 2; k++) {
    let norm = 0;
    for (let i = k + 1; i < size; i++) norm = Math.hypot(norm, matrix[i * size + k] as number);
    if (norm === 0) continue;
    const head = matrix[(k + 1) * size + k] as number;
    const target = head > 0 ? -norm : norm;
    offDiagonal[k] = target;
    for (let i = k + 1; i < size; i++) mirror[i] = matrix[i * size + k] as number;
    mirror[k + 1] = head - target;
    const weight = 1 / (norm * (norm + Math.abs(head))); // 2 over the squared length of the mirror's normal
    let along = 0;
    for (let i = k + 1; i < size; i++) {
      let sum = 0;
      for (let j = k + 1; j < size; j++) sum += (matrix[i * size + j] as number) * (mirror[j] as number);
      image[i] = weight * sum;
      along += (image[i] as number) * (mirror[i] as number);
    }
    for (let i = k + 1; i < size; i++)
      image[i] = (image[i] as number) - (weight * along * (mirror[i] as number)) / 2;
    for (let i = k + 1; i < size; i++) {
      const [own, other] = [mirror[i] as number, image[i] as number];
      for (let j = k + 1; j < size; j++) {
        const at = i * size + j;
        matrix[at] = (matrix[at] as number) - own * (image[j] as number) - other * (mirror[j] as number);
      }
    }
  }
  for (let i = 0; i < size; i++) diagonal[i] = matrix[i * size + i] as number;
  if (size > 1) offDiagonal[size - 2] = matrix[(size - 1) * size + size - 2] as number;
  return { diagonal, offDiagonal };
}

/** One QR step on rows `first` to `last`, none of whose neighbours is zero: chases the bulge down. */
function shiftedStep(diagonal: Float64Array, offDiagonal: Float64Array, first: number, last: number): void {
  const corner = offDiagonal[last - 1] as number;
  const half = ((diagonal[last - 1] as number) - (diagonal[last] as number)) / 2;
  const shift =
    (diagonal[last] as number) - corner ** 2 / (half + (half < 0 ? -1 : 1) * Math.hypot(half, corner));
  let x = (diagonal[first] as number) - shift;
  let bulge = offDiagonal[first] as number;
  for (let k = first; k < last; k++) {
    const length = Math.hypot(x, bulge);
    const [c, s] = length === 0 ? [1, 0] : [x / length, bulge / length];
    if (k > first) offDiagonal[k - 1] = length;
    const [upper, between, lower] = [
      diagonal[k] as number,
      offDiagonal[k] as number,
      diagonal[k + 1] as number,
    ];
    diagonal[k] = c * c * upper + 2 * c * s * between + s * s * lower;
    diagonal[k + 1] = s * s * upper - 2 * c * s * between + c * c * lower;
    offDiagonal[k] = c * s * (lower - upper) + (c * c - s * s) * between;
    if (k === last - 1) return;
    x = offDiagonal[k] as number;
    bulge = s * (offDiagonal[k + 1] as number);
    offDiagonal[k + 1] = c * (offDiagonal[k + 1] as number);
  }
}
