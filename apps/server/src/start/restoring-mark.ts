/** In the data folder while data are restored after an update: no Pulse may start on them. */
export const restoringMark = 'update/restoring'
