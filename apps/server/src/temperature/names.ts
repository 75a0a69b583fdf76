import { isIP } from 'node:net'

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const hostName = new RegExp(`^${label}(?:\\.${label})*$`)

/** A host name in the narrow sense: never an option, a user, a path or anything a shell would read. */
export const isHostName = (text: string): boolean => text.length <= 253 && hostName.test(text)

/** What ssh may be pointed at. A zone is left out: it would carry free text. */
export const isSshAddress = (text: string): boolean =>
  isIP(text) !== 0 ? !text.includes('%') : isHostName(text)
