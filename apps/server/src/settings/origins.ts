import type { SystemSettings } from '@pulse/contract'
import type { OriginPolicy } from '../auth/origins.ts'

/** Undefined for a pattern, or for more than scheme, host and port: patterns are not supported. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || !/^[\w.:[\]-]+$/.test(url.host)) return undefined
  return url.href === `${url.origin}/` ? url.origin : undefined
}

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const isAny = (entry: string) => entry === '*'

/** The origins in the form that browsers send. Invalid entries are unchanged. */
export const canonicalOrigins = (text: string): string =>
  [...new Set(listOf(text).map((entry) => originOf(entry) ?? entry))].join(',')

/** The first entry that is no origin. */
export const wrongOrigin = (text: string, { anyAllowed }: { anyAllowed: boolean }): string | undefined =>
  listOf(text).find((entry) => originOf(entry) === undefined && !(anyAllowed && isAny(entry)))

export const toOriginPolicy = (
  settings: Pick<SystemSettings, 'allowedOrigins' | 'allowEmbedding' | 'allowedEmbedOrigins'>,
): OriginPolicy => ({
  allowedOrigins: listOf(settings.allowedOrigins),
  allowEmbedding: settings.allowEmbedding,
  allowedEmbedOrigins: listOf(settings.allowedEmbedOrigins),
})
