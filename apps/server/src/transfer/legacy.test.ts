import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectionStore } from '../db/connections.ts'
import { settingsStore } from '../db/settings.ts'
import { aLegacyFile, atConsole, aTransferGround, passphrase, type TransferGround } from './fixtures.ts'

let ground: TransferGround
beforeAll(async () => {
  ground = await aTransferGround()
})
beforeEach(() => ground.wipe())
afterAll(() => ground.end())

const importLegacy = (content: Record<string, unknown>) =>
  ground.transfer.import(aLegacyFile({ version: '4.1', nodes: {}, ...content }), passphrase, atConsole)
const connections = () => connectionStore(ground.db, ground.vault).all()
const pve = (changes: Record<string, unknown> = {}) => ({
  Name: 'alpha',
  Host: 'https://alpha.lan:8006',
  User: '',
  Password: '',
  TokenName: 'pulse-monitor@pam!pulse-192-0-2-1',
  TokenValue: 'canary-token',
  Fingerprint: 'AB:'.repeat(31) + 'AB',
  VerifySSL: true,
  MonitorVMs: true,
  MonitorContainers: true,
  MonitorStorage: true,
  MonitorBackups: false,
  MonitorPhysicalDisks: null,
  PhysicalDiskPollingMinutes: 0,
  IsCluster: true,
  ClusterName: 'alpha',
  ClusterEndpoints: [
    { NodeID: 'node/a', NodeName: 'a', Host: 'a', IP: '', Online: true, LastSeen: '0001-01-01T00:00:00Z' },
  ],
  ...changes,
})
const token = 'f'.repeat(64)
const hash = createHash('sha3-256').update(token).digest('hex')

describe('[facts/platform 9] an export of Pulse 4.x', () => {
  test('brings nodes, settings, links, single sign-on and tokens, and names what it does not', async () => {
    const { summary, notes } = await importLegacy({
      exportedAt: '2026-01-01T00:00:00.123456789+02:00',
      nodes: {
        pveInstances: [pve()],
        pbsInstances: [
          {
            Name: 'alpha',
            Host: 'https://store.lan:8007',
            User: '',
            Password: '',
            VerifySSL: false,
            TokenName: 'pulse@pbs!pulse',
            TokenValue: 'canary-pbs',
            MonitorPruneJobs: false,
          },
        ],
        pmgInstances: [
          { Name: 'mail', Host: 'mail.lan', User: 'root', Password: 'canary-pmg', TokenName: '' },
        ],
      },
      alerts: { enabled: true },
      email: { enabled: true, password: 'canary-smtp' },
      webhooks: [{ url: 'https://hooks.example.com/canary' }],
      apprise: { enabled: false },
      system: {
        pvePollingInterval: 10,
        pbsPollingInterval: 120,
        connectionTimeout: 20,
        updateChannel: '',
        frontendPort: 7655,
        theme: 'dark',
        discoverySubnet: '192.0.2.0/24',
        logLevel: 'loud',
        discoveryConfig: { max_concurrent: 20, environment_override: 'auto' },
      },
      guestMetadata: {
        'alpha-pve1-100': {
          id: 'alpha-pve1-100',
          customUrl: 'https://grafana.lan',
          description: 'x',
          tags: null,
        },
        'alpha-pve1-101': { id: 'alpha-pve1-101', customUrl: 'ftp://a', description: '', tags: [] },
        'alpha-pve1-102': { id: 'alpha-pve1-102', customUrl: '', description: '', tags: [] },
        'alpha-pve1-103': null,
      },
      oidc: {
        enabled: true,
        issuerUrl: 'https://id.example.com',
        clientId: 'pulse',
        clientSecret: 'canary-oidc',
        redirectUrl: '',
        logoutUrl: '',
        scopes: ['openid'],
        allowedGroups: ['ops'],
        groupsClaim: 'groups',
      },
      apiTokens: [
        {
          id: 'a',
          name: 'script',
          hash,
          prefix: 'ffffff',
          suffix: 'ffff',
          createdAt: '2025-06-01T00:00:00Z',
        },
        {
          id: 'b',
          name: 'agent',
          hash: hash.replace(/^../, '00'),
          createdAt: '',
          scopes: ['docker:report', 'host-agent:report'],
        },
        {
          id: 'c',
          name: 'host',
          hash: hash.replace(/^../, '01'),
          createdAt: '',
          scopes: ['host-agent:report'],
        },
        { id: 'd', name: 'broken', hash: 'x' },
      ],
    })
    expect(summary).toBe('3 nodes, 1 guest link, system settings, single sign-on, 2 API tokens, 1 webhook')
    expect(notes).toEqual([
      'API tokens added: "script", "agent".',
      'New destinations were imported disabled: "generic". Check and enable them under Alerts, Notifications.',
      'Invalid guest links were left out: "alpha-pve1-101".',
      'Descriptions of guests were left out: 1.',
      'Invalid system settings were left out: "logLevel".',
      'Every single sign-on user stays an administrator, as before: set administrator groups to change that.',
      'The API token "host" was left out.',
      'The API token "without a usable hash" was left out.',
      'Settings of email were left out: they name no server.',
    ])
    const [alpha, store, mail] = await connections()
    expect(alpha).toMatchObject({
      kind: 'pve',
      name: 'alpha',
      auth: { type: 'token', tokenId: 'pulse-monitor@pam!pulse-192-0-2-1' },
      fingerprint: 'ab'.repeat(32),
      verifySSL: true,
      flags: { monitorVMs: true, monitorBackups: false, monitorPhysicalDisks: true },
    })
    expect(alpha!.auth.type === 'token' && alpha!.auth.secret.reveal()).toBe('canary-token')
    expect(store).toMatchObject({ kind: 'pbs', name: 'alpha PBS', verifySSL: false })
    expect(store!.flags.monitorPruneJobs).toBe(false)
    expect(mail).toMatchObject({
      host: 'https://mail.lan:8006',
      auth: { type: 'password', user: 'root@pmg' },
    })
    const settings = settingsStore(ground.db, ground.vault, () => 0)
    expect(JSON.parse((await settings.read('system'))!)).toEqual({
      pbsPollingInterval: 120,
      connectionTimeout: 20,
      theme: 'dark',
      discoverySubnet: '192.0.2.0/24',
      discoveryConfig: { max_concurrent: 20, environment_override: 'auto' },
    })
    expect(JSON.parse((await settings.read('oidc'))!)).toMatchObject({
      clientSecret: 'canary-oidc',
      allowedGroups: ['ops'],
      // in Pulse 4.x every user who could sign in was an administrator
      everyoneIsAdmin: true,
    })
    const tokens = await ground.db.query.selectFrom('api_tokens').selectAll().orderBy('name').execute()
    expect(tokens.map(({ name, scopes }) => [name, JSON.parse(scopes)])).toEqual([
      ['agent', ['docker:report']],
      ['script', expect.arrayContaining(['settings:write', 'docker:manage'])],
    ])
    expect(tokens[1]).toMatchObject({ token_hash: hash, created_at: Date.UTC(2025, 5, 1) })
    expect(notes.join()).not.toContain('canary')
  })

  test('of 4.0 has no tokens, and lists that are null', async () => {
    const nodes = { pveInstances: [pve()], pbsInstances: null, pmgInstances: null }
    const { summary, notes } = await importLegacy({
      version: '4.0',
      nodes,
      webhooks: null,
      guestMetadata: null,
    })
    expect([summary, notes]).toEqual(['1 node', []])
  })

  test.each([
    ['an address without TLS', { Host: 'http://alpha.lan:8006' }, /"alpha" was left out: .*https/],
    ['no credentials', { TokenName: '', TokenValue: '' }, /"alpha" was left out: it has no credentials/],
    ['a SHA-1 fingerprint', { Fingerprint: 'AB'.repeat(20) }, /"alpha" was left out: .*SHA-256/],
    ['a token without a user', { TokenName: 'pulse' }, /"alpha" was left out: Token ID/],
  ])('leaves out a node with %s and says so', async (_what, change, note) => {
    const { notes } = await importLegacy({
      nodes: { pveInstances: [pve(change), pve({ Name: 'b', Host: 'b.lan' })] },
    })
    expect(notes).toEqual([expect.stringMatching(note)])
    expect((await connections()).map(({ name }) => name)).toEqual(['b'])
  })

  test('a bare token name belongs to the user beside it', async () => {
    await importLegacy({
      nodes: { pveInstances: [pve({ TokenName: 'pulse', User: 'mon@pve', Fingerprint: '' })] },
    })
    expect((await connections())[0]!.auth).toMatchObject({ tokenId: 'mon@pve!pulse' })
  })

  test('one node twice comes once', async () => {
    const { notes } = await importLegacy({ nodes: { pveInstances: [pve(), pve({ Name: 'again' })] } })
    expect(notes).toEqual([expect.stringMatching(/"again" was left out: .*appears twice/)])
  })

  test.each([
    ['whose limits cannot be read', { allowedDomains: [1] }, /because of its allowedDomains/],
    ['with roles by group', { groupRoleMappings: { ops: 'viewer' } }, /because of its groupRoleMappings/],
    ['at an address that cannot be', { issuerUrl: 'http://id.example.com' }, /issuer URL/],
  ])('leaves out single sign-on %s rather than let everybody in', async (_what, change, note) => {
    const oidc = { enabled: true, issuerUrl: 'https://id.example.com', clientId: 'pulse', ...change }
    const { summary, notes } = await importLegacy({ oidc })
    expect([summary, notes[0]]).toEqual(['nothing', expect.stringMatching(note)])
  })

  test('leaves out what contradicts itself in the settings', async () => {
    const { notes } = await importLegacy({
      system: { adaptivePollingMinInterval: 3600, allowedOrigins: 'https://*.lan', theme: 'light' },
    })
    expect(notes).toEqual([
      'Invalid system settings were left out: "allowedOrigins", "adaptivePollingMinInterval".',
    ])
  })
})
