/** Why a request was not answered, in the terms of OpenAI's API. */
export type ApiError = {
  /** HTTP status. */
  readonly status: number;
  readonly type: 'invalid_request_error' | 'rate_limit_error' | 'server_error';
  /** A code for programs, e.g. "samples_exhausted"; null where OpenAI has none. */
  readonly code: string | null;
  readonly message: string;
  /** Field of the request that is wrong, e.g. "messages.0.content". */
  readonly param: string | null;
};

/** The request is wrong in one field (or as a whole: `param` null). */
export function badRequest(message: string, param: string | null): ApiError {
  return { status: 400, type: 'invalid_request_error', code: null, message, param };
}

/** The body that OpenAI's clients read errors from. */
export function problemBody(problem: ApiError): { readonly error: Omit<ApiError, 'status'> } {
  const { message, type, param, code } = problem;
  return { error: { message, type, param, code } };
}

/** The `code` for a recording that has no unused sample left. */
export const SAMPLES_EXHAUSTED = 'samples_exhausted';
/** The `code` for a recording that has no (further) refinement of this program. */
export const NO_REFINEMENT = 'no_refinement';
/** The `code` for a problem that a recording does not have at all. */
export const PROBLEM_NOT_RECORDED = 'problem_not_recorded';
