/** The address of a grader service: no name and password in it, as it is shown and written to disk. */
export const GRADER_ADDRESS =
  /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:\/[\w./-]*)?$|^https?:\/\/\[[0-9a-fA-F:]+\](?::\d{1,5})?$/;
export const GRADER_ADDRESS_PROBLEM = 'Enter an address such as http://127.0.0.1:8765.';

/** A file on the training's machine. */
export const TOKEN_PATH = /^(?:\/|~\/)/;

/** Has the token of a grader service, where no file has it. */
export const GRADER_TOKEN_VARIABLE = 'MARS2_GRADER_TOKEN';
