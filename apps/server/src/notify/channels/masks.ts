import { secretMask } from '@pulse/contract'

/** Masks of secrets in shown settings. */

const tokenLength = 16
const secretName = /token|key|secret|sig|pass|auth|code|hash|access/i
/** A path segment after one of these is a secret. */
const beforeSecrets = /^(?:web)?hooks?$|^webhookb2$|^services$/i

/** The literal part of a text. The words of a placeholder are no secrets, but a quoted text may be one. */
const literal = (text: string) => text.replace(/\{\{[^{}"`']*\}\}/g, '')
const isSecretText = (text: string) => literal(text).length >= tokenLength

function maskSegment(segment: string, before: readonly string[]): string {
  const bot = /^bot\d{1,20}:/.exec(segment)
  if (bot) return `bot${secretMask}`
  if (isSecretText(segment)) return secretMask
  const isBehind = before.some((one) => beforeSecrets.test(one))
  return isBehind && !/^\d{0,20}$/.test(literal(segment)) ? secretMask : segment
}

function maskPair(pair: string): string {
  const [name = '', ...rest] = pair.split('=')
  const value = rest.join('=')
  if (rest.length === 0) return isSecretText(name) ? secretMask : name
  const isSecret = (secretName.test(name) && literal(value) !== '') || isSecretText(value)
  return `${name}=${isSecret ? secretMask : value}`
}

/** The address without user names, passwords, tokens in its path, and secrets in its query. */
export function maskedUrl(url: string): string {
  const parts = /^([a-z]{1,20}:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url)
  if (!parts) return secretMask
  const [, scheme = '', authority = '', path = '', query = ''] = parts
  const at = authority.lastIndexOf('@')
  const host = at < 0 ? authority : `${secretMask}${authority.slice(at)}`
  const segments = path.split('/')
  const shown = segments.map((segment, index) => maskSegment(segment, segments.slice(0, index))).join('/')
  const pairs = query === '' ? '' : `?${query.slice(1).split('&').map(maskPair).join('&')}`
  return scheme + host + shown + pairs
}

export const isMasked = (text: string): boolean => text.includes(secretMask)
