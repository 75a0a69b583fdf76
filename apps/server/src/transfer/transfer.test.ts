import { webhookDefaults } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { filesOf } from '../auth/fixtures.ts'
import { connectionStore } from '../db/connections.ts'
import { toConnection } from '../connections/exported.ts'
import {
  aConnection,
  aFile,
  aLink,
  atConsole,
  aTransferGround,
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

test('[S3] whose right ends while the key of a file is derived imports nothing', async () => {
  let isCurrent = true
  const leaving = { ...atConsole, isCurrent: () => isCurrent }
  const before = await ground.rows()
  const importing = ground.transfer.import(await aFile(everything()), passphrase, leaving)
  isCurrent = false
  await expect(importing).rejects.toMatchObject({ code: 'authentication_required' })
  expect(await ground.rows()).toBe(before)
})

describe('[spec 2 §7] an export', () => {
  test('brings everything back on an empty installation, secrets and identities included', async () => {
    const first = await ground.put(everything())
    expect(first.summary).toBe(
      '3 nodes, 1 node with temperatures, 2 guest links, system settings, single sign-on, 2 accounts, 1 API token',
    )
    const values = async () =>
      Object.fromEntries(await Promise.all(ground.parts.map(async (p) => [p.key, await p.read()])))
    const before = await values()
    expect(before).toMatchObject(everything())
    const { file } = await ground.transfer.export(passphrase)
    await ground.wipe()
    await ground.transfer.import(file.data, passphrase, atConsole)
    expect(await values()).toEqual(before)
    // importing the same file again changes nothing
    await ground.transfer.import(JSON.stringify(file), passphrase, atConsole)
    expect(await values()).toEqual(before)
  })

  test('[S16] holds nothing readable, and leaves the encryption key out', async () => {
    await ground.put(everything())
    const { file } = await ground.transfer.export(passphrase)
    const open = Buffer.from(file.data, 'base64').toString('latin1')
    for (const word of ['canary', 'alpha', 'anna', 'connections', passphrase]) {
      expect(open).not.toContain(word)
      expect(file.data).not.toContain(Buffer.from(word).toString('base64').slice(0, 6))
    }
    const key = fs.readFileSync(path.join(ground.dataDir, '.encryption.key'), 'utf8').trim()
    const contents = JSON.stringify(await Promise.all(ground.parts.map((part) => part.read())))
    expect(contents).toContain('canary-client-secret')
    expect(contents).not.toContain(key)
    expect(filesOf(ground.dataDir)).not.toContain('canary-client-secret')
  })

  test('leaves out what a cluster says of itself when no import would take it', async () => {
    const store = connectionStore(ground.db, ground.vault)
    const member = { NodeID: '1', NodeName: 'a', Host: 'https://a:8006', IP: '', Online: true }
    const learned = (changes: object) => ({
      ...toConnection(aConnection() as never, 'pve-0123456789ab'),
      clusterName: 'alpha',
      clusterEndpoints: [{ ...member, ...changes }],
    })
    await store.insert(learned({}), 1)
    const back = async () => {
      const { file } = await ground.transfer.export(passphrase)
      await ground.wipe()
      await ground.transfer.import(file.data, passphrase, atConsole)
      return (await store.all())[0]!
    }
    expect((await back()).clusterEndpoints).toEqual([member])
    for (const odd of [
      { IP: 'abc' },
      { Host: 'ftp://a' },
      { Host: 'https://' },
      { NodeID: 'x'.repeat(300) },
    ]) {
      await store.update(learned(odd), 2)
      const { name, clusterName, clusterEndpoints } = await back()
      expect([name, clusterName, clusterEndpoints]).toEqual(['alpha', undefined, undefined])
    }
  })

  test('is left as it is by a look at what an import would do', async () => {
    const file = await aFile(everything())
    const before = await ground.rows()
    expect(await ground.transfer.check(file, passphrase, atConsole)).toMatchObject({
      summary: expect.stringContaining('3 nodes'),
    })
    expect(await ground.rows()).toBe(before)
  })

  test('of nothing imports nothing', async () => {
    const { file } = await ground.transfer.export(passphrase)
    expect(await ground.transfer.import(file.data, passphrase, atConsole)).toEqual({
      summary: 'nothing',
      notes: [],
      changes: {
        nodes: [],
        accounts: [],
        tokens: [],
        providers: [],
        destinations: [],
        allowedHosts: [],
        switchesAlertsOff: false,
      },
    })
  })

  test('[spec 2 §1] carries what was never saved too: an import restores the whole configuration', async () => {
    const { file } = await ground.transfer.export(passphrase)
    const values = async () =>
      Object.fromEntries(await Promise.all(ground.parts.map(async (one) => [one.key, await one.read()])))
    const factory = await values()
    await ground.put({
      system: { theme: 'dark' },
      oidc: { ...everything().oidc },
      alerts: {
        enabled: true,
        activationState: 'active',
        guestDefaults: { cpu: { trigger: 60, clear: 50 } },
      },
      email: { ...anEmail, server: 'mail.lan' },
      webhooks: [aWebhook('ops')],
      outbound: { allowedHosts: ['10.0.0.5'] },
    })
    expect(await values()).not.toEqual(factory)
    const { changes } = await ground.transfer.import(file.data, passphrase, atConsole)
    expect(changes.switchesAlertsOff).toBe(true)
    expect(await values()).toEqual(factory)
  })
})

const anEmail = {
  enabled: true,
  server: 'smtp.lan',
  port: 25,
  from: 'pulse@example.com',
  to: ['anna@example.com'],
}
const aWebhook = (id: string, url = `https://hooks.example.com/services/${'s'.repeat(30)}`) => ({
  id,
  name: id,
  url,
  ...webhookDefaults,
  enabled: true,
})

describe('[S17] destinations of alerts in a file', () => {
  const values = {
    email: anEmail,
    apprise: { enabled: true, mode: 'cli', targets: ['slack://canary-token/canary-secret'] },
    webhooks: [aWebhook('ops')],
    outbound: { allowedHosts: ['10.0.0.5'] },
  }
  const shown = [
    { kind: 'email', name: 'Email', goesTo: '"anna@example.com" through smtp.lan:25' },
    { kind: 'apprise', name: 'Apprise', goesTo: expect.stringMatching(/^slack:\/\/\*{8}/) },
    { kind: 'webhook', name: 'ops', goesTo: 'https://hooks.example.com/services/********' },
  ]
  const areEnabled = async () => {
    const read = async (key: string) => (await ground.parts.find((one) => one.key === key)!.read()) as never
    const { enabled: email } = (await read('email')) as { enabled: boolean }
    const { enabled: apprise } = (await read('apprise')) as { enabled: boolean }
    const webhooks = ((await read('webhooks')) as { enabled: boolean }[]).map(({ enabled }) => enabled)
    return [email, apprise, ...webhooks]
  }

  test('are all named, without their secrets, with the hosts they may reach', async () => {
    const { changes } = await ground.transfer.check(await aFile(values), passphrase, atConsole)
    expect(changes).toMatchObject({ destinations: shown, allowedHosts: ['10.0.0.5'] })
    expect(JSON.stringify(changes)).not.toContain('canary')
  })

  test('are imported disabled, until the importer confirms them', async () => {
    const file = await aFile(values)
    const { notes } = await ground.transfer.import(file, passphrase, atConsole)
    expect(notes.join()).toContain('imported disabled: "ops"')
    expect(await areEnabled()).toEqual([false, false, false])
    const sure = { ...atConsole, confirmsDestinations: true }
    const confirmed = await ground.transfer.import(file, passphrase, sure)
    expect(confirmed.notes.join()).not.toContain('disabled')
    expect(await areEnabled()).toEqual([true, true, true])
  })

  test('new hosts in private networks are left out until the importer confirms, and those that are here stay', async () => {
    const hosts = async () =>
      ((await ground.parts.find(({ key }) => key === 'outbound')!.read()) as { allowedHosts: string[] })
        .allowedHosts
    const sure = { ...atConsole, confirmsDestinations: true }
    const here = await aFile({ outbound: { allowedHosts: ['10.0.0.7', '10.0.0.8'] } })
    await ground.transfer.import(here, passphrase, sure)
    const file = await aFile({ outbound: { allowedHosts: ['10.0.0.7', '10.0.0.5'] } })
    const { notes } = await ground.transfer.import(file, passphrase, atConsole)
    expect(notes.join()).toContain('left out: "10.0.0.5"')
    expect(await hosts()).toEqual(['10.0.0.7'])
    expect((await ground.transfer.import(file, passphrase, sure)).notes.join()).not.toContain('left out')
    expect(await hosts()).toEqual(['10.0.0.7', '10.0.0.5'])
  })

  test('hosts are shown and kept as they are called, however the file writes them', async () => {
    const sure = { ...atConsole, confirmsDestinations: true }
    await ground.transfer.import(await aFile({ outbound: { allowedHosts: ['10.0.0.7'] } }), passphrase, sure)
    const hidden = ['2130706433', '%31%30.0.0.5:8000', 'gоtify.lan', '[::FFFF:127.0.0.1]', '127.0.0.1\\x']
    const file = await aFile({ outbound: { allowedHosts: [...hidden, '10.7', '10.0.0.7.'] } })
    const { changes } = await ground.transfer.check(file, passphrase, atConsole)
    expect(changes.allowedHosts).toEqual([
      '127.0.0.1',
      '10.0.0.5:8000',
      'xn--gtify-jye.lan',
      '[::ffff:7f00:1]',
    ])
    await ground.transfer.import(file, passphrase, atConsole)
    expect(await ground.parts.find(({ key }) => key === 'outbound')!.read()).toEqual({
      allowedHosts: ['10.0.0.7'],
    })
  })

  test('hosts of destinations are shown as they are called too', async () => {
    const hidden = {
      email: { ...anEmail, server: 'smtp.lаn' },
      apprise: {
        enabled: true,
        mode: 'http',
        serverUrl: 'http://me:canary@0x7f.1:8000/',
        configKey: 'ops',
        targets: [],
      },
      webhooks: [aWebhook('ops', 'https://hooks.slаck.com/services/{{.Title}}')],
    }
    const { changes } = await ground.transfer.check(await aFile(hidden), passphrase, atConsole)
    expect(changes.destinations.map(({ goesTo }) => goesTo)).toEqual([
      expect.stringContaining('through smtp.xn--ln-7kc:25'),
      expect.stringContaining('********@127.0.0.1:8000/'),
      'https://hooks.xn--slck-63d.com/services/{{.Title}}',
    ])
  })

  test('that send here already go on, unasked; the same service with another address is new', async () => {
    const sure = { ...atConsole, confirmsDestinations: true }
    await ground.transfer.import(await aFile(values), passphrase, sure)
    const again = await ground.transfer.import(await aFile(values), passphrase, atConsole)
    expect(again.changes.destinations).toEqual([])
    expect(await areEnabled()).toEqual([true, true, true])
    const other = aWebhook('ops', `https://hooks.example.com/services/${'t'.repeat(30)}`)
    await ground.transfer.import(await aFile({ webhooks: [other] }), passphrase, atConsole)
    expect(await areEnabled()).toEqual([true, true, false])
  })

  test.each([
    ['webhooks', { customFields: { user: 'mallory' } }],
    ['webhooks', { headers: { Authorization: 'Bearer other' } }],
    ['webhooks', { template: '{"channel":"#other"}' }],
    ['webhooks', { method: 'PUT' }],
    ['email', { to: ['mallory@example.com'] }],
    ['email', { replyTo: 'mallory@example.com' }],
    ['email', { username: 'mallory' }],
    ['email', { startTLS: true }],
    ['apprise', { skipTlsVerify: true }],
    ['apprise', { apiKey: 'other' }],
    ['apprise', { mode: 'http', serverUrl: 'https://apprise.example.com/other' }],
  ])('whose messages would reach others through the same address (%s, %o) wait too', async (key, change) => {
    const sure = { ...atConsole, confirmsDestinations: true }
    await ground.transfer.import(await aFile(values), passphrase, sure)
    const { email, apprise } = values
    const changed = {
      webhooks: [{ ...aWebhook('ops'), ...change }],
      email: { ...email, ...change },
      apprise: { ...apprise, ...change },
    }[key]
    const { changes } = await ground.transfer.import(await aFile({ [key]: changed }), passphrase, atConsole)
    expect(changes.destinations).toHaveLength(1)
    expect(await areEnabled()).toEqual([key !== 'email', key !== 'apprise', key !== 'webhooks'])
  })

  test('obey the limits of the page: at most 100 webhooks, each with an id of its own', async () => {
    const many = Array.from({ length: 101 }, (_, n) => aWebhook(`w${n}`))
    await expect(ground.put({ webhooks: many })).rejects.toThrow(
      /webhooks: There are 101 of them; the maximum is 100/,
    )
    await expect(ground.put({ webhooks: [aWebhook('a'), aWebhook('a')] })).rejects.toThrow(
      /webhooks\[1\]: Its id is that of another webhook/,
    )
    expect(await areEnabled()).toEqual([false, false])
  })
})

describe('imports at the same time', () => {
  test('two at once end as one of them, whole', async () => {
    const of = (name: string, id: string) => ({
      connections: [aConnection({ id, name, host: `https://${name}.lan:8006` })],
      guestMetadata: [aLink({ guestKey: `id:${name}` })],
    })
    const files = await Promise.all([
      aFile(of('one', 'pve-00000000000a')),
      aFile(of('two', 'pve-00000000000b')),
    ])
    await Promise.all(files.map((file) => ground.transfer.import(file, passphrase, atConsole)))
    const links = await ground.db.query.selectFrom('guest_metadata').select('guest_key').execute()
    expect(links.map(({ guest_key }) => guest_key)).toEqual(
      (await ground.names('connections')).map((name) => `id:${name}`),
    )
  })

  test('a crowd is sent away', async () => {
    const file = await aFile({})
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => ground.transfer.check(file, passphrase, atConsole)),
    )
    const refused = results.filter((one) => one.status === 'rejected')
    expect(refused.length).toBeGreaterThan(10)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'rate_limit' })
  })
})
