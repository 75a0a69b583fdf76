import type { ApiToken } from '@pulse/contract'

/** What may be shown of a token once it is stored: prefix…suffix, or the one side there is. */
export const tokenHint = ({ prefix, suffix }: Pick<ApiToken, 'prefix' | 'suffix'>): string =>
  prefix || suffix ? `${prefix}…${suffix}` : ''

export const tokenName = ({ name }: Pick<ApiToken, 'name'>): string => name.trim() || 'Untitled token'
