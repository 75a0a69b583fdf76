import { isIP } from 'node:net'

const isLabel = (text: string) => text.length <= 63 && /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(text)

/** A host name in the narrow sense: never an option, a user, a path or anything a shell would read. */
export const isHostName = (text: string): boolean => text.length <= 253 && text.split('.').every(isLabel)

/** What ssh may be pointed at. A zone is left out: it would carry free text. */
export const isSshAddress = (text: string): boolean =>
  isIP(text) !== 0 ? !text.includes('%') : isHostName(text)
