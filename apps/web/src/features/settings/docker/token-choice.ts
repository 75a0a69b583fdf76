import type { ApiToken } from '@pulse/contract'
import { tokenHint } from '../../../parts/token-reveal/token-hint.ts'

/** It may report, and still works. */
export const canReport = ({ scopes, expiresAt }: ApiToken, nowMs: number): boolean =>
  scopes.includes('docker:report') && (expiresAt === undefined || Date.parse(expiresAt) > nowMs)

/** Of a new one whose name was left empty. */
export const defaultName = (tokenCount: number): string => `Docker host ${tokenCount + 1}`

/** Whether a text can be the token of that record, of which its ends alone are known. */
export const isTokenOf = (text: string, { prefix, suffix }: Pick<ApiToken, 'prefix' | 'suffix'>): boolean =>
  text.startsWith(prefix) && text.endsWith(suffix) && text.length > prefix.length + suffix.length

/** What is wrong with a text that was typed as the token of that record. */
export const typedTokenError = (text: string, record: ApiToken): string | undefined =>
  text === '' || isTokenOf(text, record) ? undefined : `This is not the token ${tokenHint(record)}`
