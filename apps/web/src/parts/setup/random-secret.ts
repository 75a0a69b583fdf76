/** Fills bytes with random values; a test passes its own. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => unknown

const fromBrowser: FillRandom = (bytes) => crypto.getRandomValues(bytes)

/** 64 characters: six random bits choose one, so all are equally likely. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
const passwordLength = 16
const tokenBytes = 24

export function generatePassword(fill: FillRandom = fromBrowser): string {
  const bytes = new Uint8Array(passwordLength)
  fill(bytes)
  return Array.from(bytes, (byte) => alphabet[byte & 63]).join('')
}

/** 48 hex digits. */
export function generateApiToken(fill: FillRandom = fromBrowser): string {
  const bytes = new Uint8Array(tokenBytes)
  fill(bytes)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
