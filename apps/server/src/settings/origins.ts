import type { SystemSettings } from '@pulse/contract'
import type { OriginPolicy } from '../auth/origins.ts'

/** undefined when there is more than scheme, host and port, or a pattern: nothing is compared with patterns. */
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

/** In the form in which browsers name origins; what cannot be one stays as it is. */
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
