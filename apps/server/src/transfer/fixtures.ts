import { expect } from 'vitest'
import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'
import { createEstate } from '@pulse/domain'
import { aGround, type Ground } from '../auth/fixtures.ts'
import type { Config } from '../start/config.ts'
import { noSwitches } from '../temperature/fixed.ts'
import { nothingFixed } from '../settings/environment.ts'
import { type TransferArea, createTransfer } from './transfer.ts'
import { toText } from './document.ts'
import { quickHashing } from '../testing/quick-hashing.ts'
import { seal } from './envelope.ts'
import { alertDocument } from '../alerts/settings.ts'
import { apiTokensPart } from '../access/tokens-part.ts'
import { usersPart } from '../access/users-part.ts'
import { connectionsPart } from '../connections/export-part.ts'
import { connectionStore } from '../db/connections.ts'
import { settingsStore } from '../db/settings.ts'
import { guestLinksPart } from '../guests/export-part.ts'
import { deliveryStore } from '../db/deliveries.ts'
import { configuredChannels } from '../notify/index.ts'
import { issuerIn, oidcDocument } from '../oidc/document.ts'
import { createSettingsDocument, type SettingsDefinition } from '../settings-document.ts'
import { systemDocument } from '../settings/document.ts'
import { temperaturesPart } from '../temperature/export-part.ts'
import type { TransferPart } from '../export-part.ts'
import type { RowCache } from '../row-cache.ts'
import { nodeLocks } from '../declared/locks.ts'

export const cheap = quickHashing.exportCost
export const passphrase = 'a passphrase of some length'
export const atConsole = { name: 'console', method: 'console' } as const

export interface TransferGround extends Ground {
  transfer: TransferArea
  parts: TransferPart[]
  /** every row of every table that an import could change */
  rows(): Promise<string>
  /** Empties these tables. */
  wipe(): Promise<void>
  /** Imports a file with these values, as the console does. */
  put(values: Record<string, unknown>): ReturnType<TransferArea['import']>
  /** in alphabetical order */
  names(table: 'users' | 'connections' | 'api_tokens'): Promise<string[]>
}

const tables = [
  'connections',
  'temperature_nodes',
  'guest_metadata',
  'settings',
  'users',
  'api_tokens',
  'sessions',
  'audit',
  'meta',
] as const

const neverSends = () => Promise.reject(new Error('no test is sent here'))

export async function aTransferGround(
  config: Partial<Pick<Config, 'oidc' | 'settings' | 'temperatures' | 'declared'>> = {},
  caches: readonly Omit<RowCache, 'tables'>[] = [],
): Promise<TransferGround> {
  const ground = await aGround()
  const { db, vault, clock, log } = ground
  const nothing = {
    oidc: { values: {}, overrides: {} },
    settings: nothingFixed,
    temperatures: noSwitches,
    declared: undefined,
  }
  const { oidc, settings, temperatures, declared } = { ...nothing, ...config }
  const now = () => ground.clock.now()
  const troubles = { begin: () => {}, end: () => {} }
  const edges = { store: settingsStore(db, vault, now), log, onWrite: () => {}, troubles }
  const isManaged = nodeLocks(declared?.nodes ?? [], 'pulse.yaml').isDeclared
  const partsOf = <T>(definition: SettingsDefinition<T>) =>
    createSettingsDocument(definition, edges).exportParts
  const parts = [
    connectionsPart({ store: connectionStore(db, vault), now, isManaged }),
    temperaturesPart(db, now, temperatures),
    guestLinksPart(db, now),
    ...partsOf(systemDocument(settings)),
    ...partsOf(oidcDocument({ env: oidc, issuerOf: issuerIn(db) })),
    usersPart(db),
    apiTokensPart(db),
    ...partsOf(alertDocument({ now }, createEstate().tables)),
    ...configuredChannels({ ...edges, clock, sendTest: neverSends, deliveries: deliveryStore(db) }).group
      .exportParts,
  ]
  const transfer = createTransfer({ db, parts, caches, clock, log, onWrite: () => {}, cost: cheap })
  return Object.assign(ground, {
    transfer,
    parts,
    async rows() {
      const all = await Promise.all(tables.map((table) => db.query.selectFrom(table).selectAll().execute()))
      return JSON.stringify(all)
    },
    async wipe() {
      await db.transaction(
        tables.filter((table) => table !== 'meta').map((table) => db.query.deleteFrom(table).compile()),
      )
    },
    async put(values: Record<string, unknown>) {
      return transfer.import(await aFile(values), passphrase, atConsole)
    },
    async names(table: 'users' | 'connections' | 'api_tokens') {
      const rows = await db.query.selectFrom(table).select('name').orderBy('name').execute()
      return rows.map(({ name }) => name)
    },
  })
}

/** A file of this version with these values, valid or not. */
export async function aFile(values: Record<string, unknown>, secret = passphrase): Promise<string> {
  return (await seal(toText(values, Date.UTC(2026, 0, 1)), secret, cheap)).toString('base64')
}

/** An envelope of Pulse 4.x, according to its documentation. */
export function aLegacyFile(content: unknown, secret = passphrase): string {
  const salt = randomBytes(32)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', pbkdf2Sync(secret, salt, 100_000, 32, 'sha256'), nonce)
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([salt, nonce, sealed]).toString('base64')
}

export const aConnection = (changes: Record<string, unknown> = {}) => ({
  id: 'pve-0123456789ab',
  kind: 'pve',
  name: 'alpha',
  host: 'https://alpha.lan:8006',
  auth: { type: 'token', tokenId: 'pulse@pam!monitor', secret: 'canary-token-secret' },
  verifySSL: true,
  flags: { monitorVMs: true },
  ...changes,
})

export const aUser = (changes: Record<string, unknown> = {}) => ({
  id: '0b0e7a52-7f0d-4d62-9a3a-2d6f0f1f4b11',
  name: 'anna',
  role: 'admin',
  passwordHash: `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`,
  passwordChangedAt: null,
  createdAt: Date.UTC(2026, 0, 1),
  ...changes,
})

export const aToken = (changes: Record<string, unknown> = {}) => ({
  id: '5f2f0d0e-6b0a-4a53-8f7e-0c6d3f1f4b12',
  name: 'script',
  tokenHash: 'ab'.repeat(32),
  prefix: 'abcdef',
  suffix: '1234',
  scopes: ['monitoring:read'],
  createdAt: Date.UTC(2026, 0, 1),
  lastUsedAt: null,
  expiresAt: null,
  ...changes,
})

export const aLink = (changes: Record<string, unknown> = {}) => ({
  guestKey: 'pve-0123456789ab:100',
  wireId: 'alpha-pve1-100',
  customUrl: 'https://grafana.lan/',
  ...changes,
})

/** Expects a refusal that quotes no secret and leaves all rows unchanged. */
export async function expectRefused(ground: TransferGround, file: string, before: string): Promise<Error> {
  const what = file.slice(0, 80)
  const refusal = await ground.transfer.import(file, passphrase, atConsole).then(
    () => undefined,
    (error: Error & { code?: string }) => error,
  )
  expect(refusal, what).toMatchObject({ code: expect.stringMatching(/^(invalid_import|wrong_passphrase)$/) })
  expect(refusal!.message.length, what).toBeLessThan(1_000)
  expect(refusal!.message, what).not.toMatch(/canary|at .*:\d+:\d+/)
  expect(await ground.rows(), what).toBe(before)
  return refusal!
}

/** One value of each part, and one node of each kind. */
export const everything = () => ({
  connections: [
    aConnection({
      fingerprint: 'ab'.repeat(32),
      clusterName: 'alpha',
      clusterEndpoints: [
        { NodeID: 'node/a', NodeName: 'a', Host: 'https://a.lan:8006', IP: '192.0.2.1', Online: true },
      ],
      memberFingerprints: { a: 'cd'.repeat(32) },
    }),
    aConnection({
      id: 'pbs-0123456789ab',
      kind: 'pbs',
      name: 'store',
      host: 'https://store.lan:8007',
      auth: { type: 'password', user: 'pulse@pbs', password: 'canary-password' },
      verifySSL: false,
      site: 'Berlin',
      flags: { monitorDatastores: false },
    }),
    aConnection({
      id: 'pmg-0123456789ab',
      kind: 'pmg',
      name: 'mail',
      host: 'https://mail.lan:8006',
      auth: { type: 'password', user: 'pulse@pmg', password: 'canary-mail' },
      flags: { monitorQueues: true },
    }),
  ],
  temperatures: [{ connectionId: aConnection().id, node: 'a', port: 22 }],
  guestMetadata: [aLink({ guestKey: 'id:a\nb', wireId: 'a\nb' }), aLink()],
  system: { theme: 'dark', connectionTimeout: 30 },
  oidc: {
    enabled: true,
    issuerUrl: 'https://id.example.com',
    clientId: 'pulse',
    clientSecret: 'canary-client-secret',
    allowedGroups: ['ops'],
    groupsClaim: 'groups',
  },
  users: [aUser(), aUser({ id: '0b0e7a52-7f0d-4d62-9a3a-2d6f0f1f4b99', name: 'vera', role: 'viewer' })],
  apiTokens: [aToken()],
})
