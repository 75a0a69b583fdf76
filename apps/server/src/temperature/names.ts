import { isIP } from 'node:net'

const isLabel = (text: string) => text.length <= 63 && /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(text)

/** A host name in the strict sense: never an option, a user, a path or shell syntax. */
export const isHostName = (text: string): boolean => text.length <= 253 && text.split('.').every(isLabel)

/** Valid addresses for ssh. An IPv6 zone is refused, because it may contain any text. */
export const isSshAddress = (text: string): boolean =>
  isIP(text) !== 0 ? !text.includes('%') : isHostName(text)
