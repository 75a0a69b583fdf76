import type { ApiToken } from '@pulse/contract'

/** The visible part of a stored token: prefix…suffix, or only one of them. */
export const tokenHint = ({ prefix, suffix }: Pick<ApiToken, 'prefix' | 'suffix'>): string =>
  prefix || suffix ? `${prefix}…${suffix}` : ''

export const tokenName = ({ name }: Pick<ApiToken, 'name'>): string => name.trim() || 'Untitled token'
