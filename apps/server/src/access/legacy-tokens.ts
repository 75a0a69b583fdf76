import { allScopes, type Scope } from '@pulse/contract'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type LegacyPart, lenient, listed, text } from '../export-part.ts'

const LegacyToken = z.looseObject({
  name: text,
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
  prefix: text,
  suffix: text,
  createdAt: text,
  lastUsedAt: text,
  scopes: lenient(z.array(z.string()), []),
})

const LegacyTokens = lenient(z.array(z.unknown()), [])

/** The API tokens of Pulse 4.x, with the same hashes. */
export const legacyTokens = { field: 'apiTokens', take: toTokens } satisfies LegacyPart

function toTokens(value: unknown) {
  const taken = new Map<string, ReturnType<typeof toToken>>()
  const notes: string[] = []
  for (const raw of LegacyTokens.parse(value)) {
    const { success, data } = LegacyToken.safeParse(raw)
    const name = success ? data.name.slice(0, 128) || 'API token' : 'without a usable hash'
    const scopes = success ? scopesOf(data.scopes) : []
    if (!success || scopes.length === 0) {
      notes.push(`The API token ${listed([name])} was left out.`)
      continue
    }
    const token = toToken(data, name, scopes)
    if (!taken.has(token.tokenHash)) taken.set(token.tokenHash, token)
  }
  return { taken: [...taken.values()], notes }
}

const toToken = (
  { hash, prefix, suffix, createdAt, lastUsedAt }: z.infer<typeof LegacyToken>,
  name: string,
  scopes: Scope[],
) => ({
  id: randomUUID(),
  name,
  tokenHash: hash.toLowerCase(),
  prefix: prefix.slice(0, 6),
  suffix: suffix.slice(-4),
  scopes,
  createdAt: timeOf(createdAt) ?? 0,
  lastUsedAt: timeOf(lastUsedAt),
  expiresAt: null,
})

/** In Pulse 4.x, a token without scopes has all rights. */
const scopesOf = (older: readonly string[]) =>
  older.length === 0 || older.includes('*')
    ? [...allScopes]
    : allScopes.filter((scope) => older.includes(scope))

function timeOf(text: string): number | null {
  const ms = Date.parse(text)
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}
