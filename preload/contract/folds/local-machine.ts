/** Id of the machine that this computer is. It is always in the list. */
export const LOCAL_MACHINE = 'local';
