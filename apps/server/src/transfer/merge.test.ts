import { connectionStore } from '../db/connections.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixedSwitches } from '../temperature/fixed.ts'
import { toConnection } from '../connections/exported.ts'
import {
  aConnection,
  aFile,
  aLink,
  atConsole,
  aToken,
  aTransferGround,
  aUser,
  everything,
  passphrase,
  type TransferGround,
} from './fixtures.ts'

let ground: TransferGround
beforeAll(async () => {
  ground = await aTransferGround()
})
beforeEach(() => ground.wipe())
afterAll(() => ground.end())

const audit = (event: string, target: string | null, at: number) =>
  ground.db.query
    .insertInto('audit')
    .values({
      id: `${at}${event}`,
      at,
      event,
      success: 1,
      actor: 'anna',
      actor_id: null,
      method: 'session',
      address: null,
      request_id: null,
      target,
      details: null,
      times: 1,
      last_at: null,
      caller: '',
    })
    .execute()

describe('an import into an installation that lives', () => {
  test('replaces nodes and links, and what the file does not hold stays', async () => {
    await ground.put({
      connections: [aConnection({ id: 'pve-00000000000a', name: 'old', host: 'https://old.lan:8006' })],
    })
    await ground.put({ guestMetadata: [aLink({ guestKey: 'id:gone' })] })
    await ground.put({ connections: [aConnection()] })
    expect(await ground.names('connections')).toEqual(['alpha'])
    expect(await ground.db.query.selectFrom('guest_metadata').select('guest_key').execute()).toEqual([
      { guest_key: 'id:gone' },
    ])
  })

  test('never empties a list', async () => {
    await ground.put({ connections: [aConnection()], guestMetadata: [aLink()] })
    const { notes } = await ground.put({ connections: [], guestMetadata: [] })
    expect(notes).toEqual(['The file contains no nodes: existing nodes are kept.'])
    expect(await ground.names('connections')).toEqual(['alpha'])
    expect(await ground.db.query.selectFrom('guest_metadata').selectAll().execute()).toHaveLength(1)
  })

  test('leaves every account that is here as it is, whatever the file says of it', async () => {
    await ground.put({ users: [aUser()] })
    const before = await ground.db.query.selectFrom('users').selectAll().execute()
    const { notes } = await ground.put({
      users: [
        aUser({ name: 'ANNA', role: 'viewer', passwordHash: aUser().passwordHash.replaceAll('B', 'C') }),
      ],
    })
    expect(notes).toEqual(['Accounts that exist already keep their password and role: "ANNA".'])
    expect(await ground.db.query.selectFrom('users').selectAll().execute()).toEqual(before)
  })

  test('adds accounts that are missing, and says their names', async () => {
    await ground.put({ users: [aUser()] })
    const ben = aUser({ id: '0b0e7a52-7f0d-4d62-9a3a-2d6f0f1f4b12', name: 'ben', role: 'viewer' })
    expect((await ground.put({ users: [aUser(), ben] })).notes).toContain('Accounts added: "ben".')
    expect(await ground.names('users')).toEqual(['anna', 'ben'])
  })

  test('takes over no accounts when no administrator would remain', async () => {
    const { summary, notes } = await ground.put({ users: [aUser({ role: 'viewer' })] })
    expect(summary).toBe('nothing')
    expect(notes[0]).toMatch(/none of them is an administrator/)
    expect(await ground.names('users')).toEqual([])
  })

  test('does not bring back what was revoked or removed here since', async () => {
    const later = aToken().createdAt + 1
    await audit('token_revoked', 'script', later)
    await audit('user_removed', 'ben', later)
    const ben = aUser({ id: '0b0e7a52-7f0d-4d62-9a3a-2d6f0f1f4b12', name: 'ben' })
    const other = aToken({ id: 'other', name: 'other', tokenHash: 'cd'.repeat(32) })
    const { notes } = await ground.put({ users: [aUser(), ben], apiTokens: [aToken(), other] })
    expect(notes).toContain('API tokens that were revoked here stay revoked: "script".')
    expect(notes).toContain('Accounts that were removed here stay removed: "ben".')
    expect(await ground.names('users')).toEqual(['anna'])
    expect(await ground.names('api_tokens')).toEqual(['other'])
    await audit('tokens_replaced', 'API token', later)
    await ground.put({ apiTokens: [aToken({ id: 'third', name: 'third', tokenHash: 'ef'.repeat(32) })] })
    expect(await ground.names('api_tokens')).toEqual(['other'])
  })

  test('does not take single sign-on away from a user who imports by it', async () => {
    await ground.put({ oidc: everything().oidc })
    await ground.db.query
      .insertInto('users')
      .values({
        id: 'person',
        source: 'oidc',
        name: 'olga',
        name_key: 'olga',
        role: 'admin',
        issuer: 'https://id.example.com',
        subject: '1',
        password_hash: null,
        environment_hash: null,
        password_changed_at: null,
        created_at: 0,
        last_login_at: null,
      })
      .execute()
    const olga = { name: 'olga', method: 'oidc', userId: 'person' } as const
    for (const change of [{ enabled: false }, { issuerUrl: 'https://other.example.com' }]) {
      const file = await aFile({ oidc: { ...everything().oidc, ...change } })
      const { summary, notes } = await ground.transfer.import(file, passphrase, olga)
      expect([summary, notes[0]]).toEqual(['nothing', expect.stringMatching(/would lock you out/)])
    }
    const renamed = await aFile({ oidc: { ...everything().oidc, clientId: 'other' } })
    expect((await ground.transfer.import(renamed, passphrase, olga)).summary).toBe('single sign-on')
  })

  test('brings a client secret that is the only difference', async () => {
    await ground.put({ oidc: everything().oidc })
    const other = { oidc: { ...everything().oidc, clientSecret: 'canary-other-secret' } }
    expect((await ground.put(other)).summary).toBe('single sign-on')
    expect((await ground.put(other)).summary).toBe('nothing')
  })

  test.each([
    [{ adminGroups: ['ops', 'it'] }, 'members of "ops", "it" as administrators, the others as viewers'],
    [{ everyoneIsAdmin: true }, 'everybody as an administrator'],
    [{ everyoneIsAdmin: false }, 'everybody as a viewer'],
    // from before that switch existed, with its former meaning
    [{}, 'everybody as an administrator'],
    [{ allowedGroups: [] }, 'everybody as an administrator'],
  ])('[S17] says before whom another provider would let in: %j', async (change, lets) => {
    const { allowedGroups: _, ...open } = everything().oidc
    const lookAt = async (oidc: object) =>
      (await ground.transfer.check(await aFile({ oidc }), passphrase, atConsole)).changes.providers
    expect(await lookAt({ ...open, ...change })).toEqual([{ issuer: 'https://id.example.com', lets }])
    expect(await lookAt({ ...open, ...change, enabled: false })).toEqual([])
    const limited = { ...open, ...change, allowedDomains: ['example.com'] }
    const [provider] = await lookAt(limited)
    expect(provider!.lets).toBe(lets.replace('everybody', 'every permitted user'))
    await ground.put({ oidc: limited })
    expect(await lookAt(limited)).toEqual([])
    for (const other of [{ issuerUrl: 'https://other.example.com' }, { allowedDomains: ['example.net'] }])
      expect(await lookAt({ ...limited, ...other })).toHaveLength(1)
  })

  test('a name that came from a long address is no obstacle', async () => {
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.lan`
    await ground.put({ connections: [aConnection({ name: host, host: `https://${host}:8006` })] })
    expect(await ground.names('connections')).toEqual([host])
  })

  test('an address that is here keeps the id on which its history hangs', async () => {
    const { id: _id, ...unnamed } = aConnection()
    await ground.put({ connections: [aConnection()] })
    await ground.put({ connections: [unnamed] })
    expect((await connectionStore(ground.db, ground.vault).all())[0]!.id).toBe('pve-0123456789ab')
  })
})

test('[S3] a token whose maker is no administrator here is left out, and what was made with it', async () => {
  const anna = aUser()
  const tokens = [
    aToken({ madeBy: { id: `user:${anna.id}`, name: 'anna' } }),
    aToken({ id: 'child', name: 'child', tokenHash: 'cd'.repeat(32), madeWith: aToken().id }),
    aToken({ id: 'free', name: 'free', tokenHash: 'ef'.repeat(32), madeWith: 'gone' }),
  ]
  const file = await aFile({
    users: [aUser({ role: 'viewer' }), aUser({ id: '0b0e7a52-7f0d-4d62-9a3a-2d6f0f1f4b99', name: 'zoe' })],
    apiTokens: tokens,
  })
  const { notes } = await ground.transfer.import(file, passphrase, atConsole)
  expect(notes.join()).toContain('was left out: "script", "child".')
  expect(
    await ground.db.query.selectFrom('api_tokens').select(['id', 'made_by', 'parent_id']).execute(),
  ).toEqual([{ id: 'free', made_by: null, parent_id: null }])
})

test('what the environment and pulse.yaml own stays as it is', async () => {
  const owned = await aTransferGround({
    oidc: { values: { enabled: false }, overrides: { enabled: true } },
    declared: { nodes: [{ kind: 'pve', name: 'Alpha', host: 'https://alpha.lan:8006' }] } as never,
  })
  try {
    const store = connectionStore(owned.db, owned.vault)
    await store.insert(toConnection(aConnection({ verifySSL: false }) as never, 'pve-00000000000a'), 1)
    const file = await aFile({
      oidc: everything().oidc,
      connections: [
        aConnection(),
        aConnection({ id: 'pve-00000000000b', name: 'beta', host: 'https://b.lan:8006' }),
      ],
    })
    const { summary, notes } = await owned.transfer.import(file, passphrase, atConsole)
    expect(summary).toBe('1 node')
    expect(notes).toEqual([
      'Nodes declared in pulse.yaml are unchanged: "alpha".',
      'Single sign-on is configured by OIDC_ variables and is unchanged.',
    ])
    expect((await store.all()).map(({ id, verifySSL }) => [id, verifySSL])).toEqual([
      ['pve-00000000000a', false],
      ['pve-00000000000b', true],
    ])
  } finally {
    await owned.end()
  }
})

test('temperature switches that are fixed stay as they are, with what the node was recognised by', async () => {
  const by = { instance: 'alpha', enabled: true, port: undefined, by: 'pulse.yaml' }
  const owned = await aTransferGround({ temperatures: fixedSwitches([{ ...by, node: 'a' }]) })
  try {
    const id = 'pve-0123456789ab'
    await connectionStore(owned.db, owned.vault).insert(toConnection(aConnection() as never, id), 1)
    const row = { connection_id: id, node: 'a', port: 22, host_key: 'ssh-ed25519 AAAA', created_at: 1 }
    await owned.db.query.insertInto('temperature_nodes').values(row).execute()
    const temperatures = ['a', 'b'].map((node) => ({ connectionId: id, node, port: 2222 }))
    await owned.transfer.import(await aFile({ temperatures }), passphrase, atConsole)
    const rows = await owned.db.query.selectFrom('temperature_nodes').selectAll().execute()
    expect(rows).toMatchObject([row, { node: 'b', port: 2222, host_key: null }])
  } finally {
    await owned.end()
  }
})

describe('[facts/platform 15] switches of temperatures', () => {
  const rows = () => ground.db.query.selectFrom('temperature_nodes').selectAll().execute()
  const on = (node: string, host_key: string | null) =>
    ground.db.query
      .insertInto('temperature_nodes')
      .values({ connection_id: aConnection().id, node, port: 22, host_key, created_at: 1 })
      .execute()

  test('travel with their port; what a node was recognised by stays where it was learned', async () => {
    await on('a', 'ssh-ed25519 AAAA')
    const { file } = await ground.transfer.export(passphrase)
    await ground.db.query.deleteFrom('temperature_nodes').execute()
    const { summary, notes } = await ground.transfer.import(file.data, passphrase, atConsole)
    expect(summary).toBe('1 node with temperatures')
    expect(notes.join()).toContain('Set up the temperature helper again')
    expect(await rows()).toMatchObject([{ node: 'a', port: 22, host_key: null }])
    await ground.db.query.deleteFrom('temperature_nodes').execute()
    await on('a', 'ssh-ed25519 AAAA')
    await on('b', null)
    expect((await ground.transfer.import(file.data, passphrase, atConsole)).notes).toEqual([])
    expect(await rows()).toMatchObject([{ node: 'a', host_key: 'ssh-ed25519 AAAA' }])
    await ground.db.query.deleteFrom('temperature_nodes').execute()
  })
})
