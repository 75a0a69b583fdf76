import { allScopes } from '@pulse/contract'
import { guestUrlProblem } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import { type Content, parseJson } from './document.ts'
import { lenient, OlderNodes, type Taken, text, toConnections } from './older-nodes.ts'
import { olderSettings } from './older-settings.ts'
import { count, invalidFile, issueText, listed } from '../export-part.ts'
import type { ExportedToken } from '../access/tokens-part.ts'
import type { ExportedLink } from '../guests/export-part.ts'

const OlderToken = z.looseObject({
  name: text,
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
  prefix: text,
  suffix: text,
  createdAt: text,
  lastUsedAt: text,
  scopes: lenient(z.array(z.string()), []),
})

const OlderGuest = lenient(z.looseObject({ customUrl: text, description: text }), {
  customUrl: '',
  description: '',
})
const anything = z.optional(z.unknown())
const switchable = lenient(z.looseObject({ enabled: lenient(z.boolean(), false) }), { enabled: false })

/** The export of Pulse 4.x. Fields that are not named here are of no interest. */
const OlderExport = z.looseObject({
  version: z.string(),
  nodes: OlderNodes,
  system: anything,
  guestMetadata: lenient(z.record(z.string(), OlderGuest), {}),
  oidc: anything,
  apiTokens: lenient(z.array(z.unknown()), []),
  alerts: anything,
  email: switchable,
  webhooks: lenient(z.array(z.unknown()), []),
  apprise: switchable,
})

/** What Pulse 4.x wrote, as the parts of this version have it. What does not fit is left out and named. */
export function fromOlder(json: string): Content {
  const result = OlderExport.safeParse(parseJson(json))
  if (!result.success) throw invalidFile('an export of Pulse 4.x', issueText(result.error))
  const older = result.data
  if (!['4.0', '4.1'].includes(older.version)) {
    throw new AppError(
      'invalid_import',
      `The file has the version "${older.version.slice(0, 20)}". Only exports of Pulse 4.x can be imported.`,
    )
  }
  const connections = toConnections(older.nodes)
  const links = toLinks(older.guestMetadata)
  const tokens = toTokens(older.apiTokens)
  const settings = olderSettings(older)
  return {
    values: {
      connections: connections.taken,
      guestMetadata: links.taken,
      apiTokens: tokens.taken,
      ...settings.values,
    },
    notes: [...connections.notes, ...links.notes, ...tokens.notes, ...settings.notes, ...notTakenOver(older)],
  }
}

function toLinks(older: z.infer<typeof OlderExport>['guestMetadata']): Taken<ExportedLink> {
  const withUrl = Object.entries(older).filter(([, { customUrl }]) => customUrl.trim() !== '')
  const isUsable = ([id, { customUrl }]: (typeof withUrl)[number]) =>
    id !== '' && id.length <= 256 && customUrl.length <= 2048 && guestUrlProblem(customUrl) === undefined
  const usable = withUrl.filter(isUsable)
  const wrong = withUrl.filter((entry) => !isUsable(entry)).map(([id]) => id)
  const described = Object.values(older).filter(({ description }) => description !== '').length
  const notes = []
  if (wrong.length > 0) notes.push(`Guest links that cannot be used were left out: ${listed(wrong)}.`)
  if (described > 0) notes.push(`Descriptions of guests were left out: ${described}.`)
  const taken = usable.map(([id, { customUrl }]) => ({
    guestKey: `id:${id}`,
    wireId: id,
    customUrl: customUrl.trim(),
  }))
  return { taken, notes }
}

function toTokens(older: readonly unknown[]): Taken<ExportedToken> {
  const result: Taken<ExportedToken> = { taken: [], notes: [] }
  for (const raw of older) {
    const token = OlderToken.safeParse(raw)
    const name = token.success ? token.data.name.slice(0, 128) || 'API token' : 'without a usable hash'
    const scopes = token.success ? scopesOf(token.data.scopes) : []
    if (!token.success || scopes.length === 0) {
      result.notes.push(`The API token ${listed([name])} was left out.`)
      continue
    }
    const { hash, prefix, suffix, createdAt, lastUsedAt } = token.data
    const tokenHash = hash.toLowerCase()
    if (result.taken.some((one) => one.tokenHash === tokenHash)) continue
    result.taken.push({
      id: randomUUID(),
      name,
      tokenHash,
      prefix: prefix.slice(0, 6),
      suffix: suffix.slice(-4),
      scopes,
      createdAt: timeOf(createdAt) ?? 0,
      lastUsedAt: timeOf(lastUsedAt),
      expiresAt: null,
    })
  }
  return result
}

/** There a token without scopes, and all of them at first, may do everything. */
const scopesOf = (older: readonly string[]) =>
  older.length === 0 || older.includes('*')
    ? [...allScopes]
    : allScopes.filter((scope) => older.includes(scope))

function timeOf(text: string): number | null {
  const ms = Date.parse(text)
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

function notTakenOver({ alerts, email, webhooks, apprise }: z.infer<typeof OlderExport>): string[] {
  const names = [
    alerts === undefined ? '' : 'alert settings',
    email.enabled ? 'email' : '',
    count(webhooks.length, 'webhook'),
    apprise.enabled ? 'Apprise' : '',
  ].filter((name) => name !== '')
  return names.length === 0
    ? []
    : [`Not taken over from the older version: ${names.join(', ')}. Set them up again.`]
}
