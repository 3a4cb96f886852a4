/** Shell code that a loop beside the command runs on TERM while it pauses, before it ends. */
export const END_PAUSE = `kill \${pausing:+-9} "$!"`;

/** The shell function `pause_for SECONDS`, for loops beside the command whose trap of TERM runs `END_PAUSE`. */
export const PAUSE = `
pause_for() {
  # A TERM can reach the pause before it has become a program, and is lost then.
  pausing=1
  sleep "$1" &
  wait "$!"
  pausing=
}
`;
