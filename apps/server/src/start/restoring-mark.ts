/** Exists in the data folder while data are restored after an update. Pulse must not start on them. */
export const restoringMark = 'update/restoring'
