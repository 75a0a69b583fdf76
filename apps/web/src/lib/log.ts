/* oxlint-disable no-console -- the browser's console is this program's log */

export const log = {
  warn: (message: string, detail?: unknown) =>
    detail === undefined ? console.warn(message) : console.warn(message, detail),
  error: (message: string, detail?: unknown) =>
    detail === undefined ? console.error(message) : console.error(message, detail),
}
