/**
 * Where the temperature helper of a PVE host is put in and taken out: called with `install` after the registration and
 * with `remove`, as root, with the constants of the script at hand. A failure must not undo what was reached before.
 */
export const temperatureHook = String.raw`
temperature_helper() { :; }
`
