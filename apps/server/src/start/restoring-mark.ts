/** In the data folder while data are put back after an update: nobody may start on them. */
export const restoringMark = 'update/restoring'
