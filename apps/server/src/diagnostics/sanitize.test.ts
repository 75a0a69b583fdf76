import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Category } from '../masking/patterns.ts'
import { addParts, collect, createKnown } from './known.ts'
import { sanitize } from './sanitize.ts'

/** Texts that must not survive, by the place where they enter the file. */
const canaries = {
  clusterName: 'canary-cluster',
  instance: 'Canary Instance',
  node: 'canarynode7',
  nodeHost: 'pve7.canary-corp.example',
  guest: 'canary-payroll-db',
  shortGuest: 'zq',
  storage: 'canary_vault',
  address: '203.0.113.77',
  address6: '2001:db8:77::beef',
  mac: 'bc:24:11:77:be:ef',
  user: 'carla.canary',
  token: 'canary-reader',
  tokenHint: 'a1b2c3…w9x8',
  email: 'ops@canary-corp.example',
  url: 'https://wiki.canary-corp.example/rack?row=7',
  path: '/srv/canary/dump/vzdump-qemu-100.vma.zst',
  windowsPath: 'D:\\Canary\\Data',
  serial: 'S4CANARY0077',
  note: 'ask Carla about the canary',
  tag: 'canary-tag',
  taskNode: 'canarybox9',
  proxy: 'gateway.unlisted-canary.example',
  unlistedAddress: '198.51.100.23',
  unlistedMac: '00:16:3e:aa:bb:cc',
  fingerprint: 'AB:CD:'.repeat(15) + 'AB:CD',
  uuid: '0c6a77aa-1111-4222-8333-444455556666',
}
const c = canaries
const base64 = (text: string, before = '') => Buffer.from(`${before}${text}${before}`).toString('base64')

const estate = {
  connections: [
    {
      name: c.instance,
      host: `https://${c.nodeHost}:8006`,
      user: `${c.user}@pam`,
      tokenName: `${c.user}@pam!${c.token}`,
      fingerprint: c.fingerprint,
      clusterName: c.clusterName,
      clusterEndpoints: [
        { NodeName: c.node, IP: c.address, Host: `https://${c.address}:8006`, Online: true },
      ],
    },
  ],
  state: {
    nodes: [{ id: `${c.instance}-${c.node}`, node: c.node, name: c.node, status: 'online', cpu: 0.5 }],
    vms: [
      {
        id: `${c.instance}-${c.node}-100`,
        vmid: 100,
        name: c.guest,
        tags: `${c.tag},prod`,
        ipAddresses: [c.address, c.address6],
        networkInterfaces: [{ name: 'eth0', mac: c.mac, addresses: [c.address6] }],
        disks: [
          { mountpoint: '/', total: 1 },
          { mountpoint: c.windowsPath, total: 2 },
        ],
        diskStatusReason: 'agent-not-running',
        type: 'qemu',
        status: 'running',
        memory: { total: 8, used: 4 },
      },
      { id: `${c.node}-101`, vmid: 101, name: c.shortGuest, type: 'qemu', status: 'running' },
    ],
    storage: [{ storage: c.storage, name: c.storage, node: 'cluster', nodes: [c.node], type: 'dir' }],
    physicalDisks: [{ serial: c.serial, devPath: '/dev/sda' }],
    pveBackups: { storageBackups: [{ volid: `${c.storage}:backup/x.vma`, notes: c.note, owner: c.email }] },
    connectionHealth: { [c.instance]: true, [`pbs-${c.storage}`]: false },
    performance: { apiCallDuration: { [`/nodes/${c.node}/status`]: 0.2 } },
    activeAlerts: [
      { message: `VM ${c.guest} on ${c.node} is down`, metadata: { [c.guest]: c.note, path: c.path } },
    ],
    pbsBackups: [
      { vmid: 'canary-laptop', backupType: 'host', id: 'canary-laptop/1' },
      { vmid: '100', backupType: 'vm', id: 'vm/100' },
    ],
    replicationJobs: [{ job: '100-0', target: c.taskNode }],
    pbs: [
      {
        failedTasks: [
          {
            id: `UPID:${c.taskNode}1:0000A1B2:01C3D4E5:6920B1AA:backup:canary\\x3avm-100:${c.user}@pbs!${c.token}:`,
            type: 'backup',
          },
        ],
      },
    ],
    dockerHosts: [{ labels: { [c.token]: c.url } }],
  },
  diagnostics: {
    errors: [
      `${c.instance}: ${c.nodeHost} (${c.address}) refused ${c.user}@pam!${c.token} at ${c.url}`,
      `Getting ${encodeURIComponent(c.path)} and ${encodeURIComponent(c.instance)} failed`,
      `tried ${c.proxy}, then ${c.unlistedAddress}:3128 [${c.address6}]:8006, ${c.unlistedMac}; mail ${c.email}`,
      `zq: no answer; ${c.guest.toUpperCase()} too; ${c.path}: denied; id ${c.uuid}; saw ${c.fingerprint}`,
      base64(c.guest),
      base64(c.nodeHost, 'x'),
      base64(c.user, 'yy'),
      Buffer.from(c.node).toString('hex'),
      `the run UPID:${c.taskNode}2:000C:01C3:6920:vzdump::${c.user}@pam: failed`,
      'Sys.Audit is missing on /nodes: 8.4.1 at 2026-11-21T16:41:32.123Z, /dev/sda is fine',
    ],
  },
}
const alsoKnown: [string, Category][] = [
  [c.user, 'account'],
  [c.token, 'token'],
  [c.tokenHint, 'token'],
]

async function cleaned(tree: unknown) {
  const known = createKnown()
  for (const [value, category] of alsoKnown) addParts(known, value, category)
  await collect(known, tree)
  return sanitize(tree, known)
}

/** Short texts count as whole words only, longer ones in any spelling and encoding. */
function survives(text: string, canary: string): boolean {
  if (canary.length < 5) return new RegExp(`(?<![a-z0-9])${canary}(?![a-z0-9])`, 'i').test(text)
  const forms = [canary, encodeURIComponent(canary), Buffer.from(canary).toString('hex')]
  for (const before of ['', 'x', 'yy']) forms.push(base64(canary, before).slice(2, -4))
  const json = forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)])
  return json.some((form) => text.toLowerCase().includes(form.toLowerCase()))
}

describe('[S16] the sanitised file', () => {
  test('no canary survives in any string, key or encoding', async () => {
    const before = JSON.stringify(estate)
    const after = JSON.stringify(await cleaned(estate))
    for (const [name, canary] of Object.entries(canaries)) {
      if (!['tokenHint', 'tag'].includes(name))
        expect(survives(before, canary), `${name} is seeded`).toBe(true)
      expect(survives(after, canary), `${name} in ${after}`).toBe(false)
    }
    expect(after.toLowerCase()).not.toContain('canary')
    expect(after.toLowerCase()).not.toContain('carla')
  })

  test('what is not a name stays as it is', async () => {
    const { state, diagnostics } = (await cleaned(estate)) as typeof estate
    expect(Object.keys(state)).toEqual(Object.keys(estate.state))
    expect(state.vms[0]).toMatchObject({
      vmid: 100,
      type: 'qemu',
      status: 'running',
      diskStatusReason: 'agent-not-running',
      memory: { total: 8, used: 4 },
    })
    expect(state.nodes[0]).toMatchObject({ status: 'online', cpu: 0.5 })
    expect(state.storage[0]).toMatchObject({ node: 'cluster', type: 'dir' })
    expect(state.vms[0]!.disks![0]!.mountpoint).toBe('/')
    expect(state.pbsBackups[1]).toEqual(estate.state.pbsBackups[1])
    expect(state.physicalDisks[0]!.devPath).toBe('/dev/sda')
    expect(diagnostics.errors.at(-1)).toBe(estate.diagnostics.errors.at(-1))
  })

  test('one thing has one placeholder wherever it stands', async () => {
    const { state } = (await cleaned(estate)) as typeof estate
    const [node] = state.nodes
    expect(node!.node).toMatch(/^\[node-\d+\]$/)
    expect(node!.name).toBe(node!.node)
    expect(state.storage[0]!.nodes[0]).toBe(node!.node)
    expect(state.activeAlerts[0]!.message).toBe(`VM ${state.vms[0]!.name} on ${node!.node} is down`)
    expect(node!.id).toContain(node!.node)
  })

  test('a guest called like a word of the product takes nothing else along', async () => {
    const tree = {
      vms: [
        { name: 'online', status: 'online' },
        { name: 'a', status: 'running' },
      ],
    }
    expect(await cleaned(tree)).toEqual({
      vms: [
        { name: '[name-1]', status: 'online' },
        { name: '[name-2]', status: 'running' },
      ],
    })
  })

  test('10,000 guests leave others their turn', async () => {
    const vms = Array.from({ length: 10_000 }, (_, n) => ({
      id: `main-node${n % 20}-${n}`,
      name: `guest-number-${n}`,
      ipAddresses: [`10.${n >> 8}.${n & 255}.7`],
      error: `guest-number-${n} on node${n % 20} at 10.${n >> 8}.${n & 255}.7 does not answer`,
    }))
    let turnsOfOthers = 0
    const look = () => {
      turnsOfOthers++
      handle = setImmediate(look)
    }
    let handle = setImmediate(look)
    const text = JSON.stringify(await cleaned({ vms }))
    clearImmediate(handle)
    expect(turnsOfOthers).toBeGreaterThan(5)
    expect(text).not.toMatch(/guest-number|10\.\d+\.\d+\.7/)
  })

  test('any name in any message is found', async () => {
    const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{4,30}[A-Za-z0-9]$/)
    await fc.assert(
      fc.asyncProperty(
        name,
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        async (guest, a, b) => {
          fc.pre(!/^\[?(?:name|text|address|path|account|url)/i.test(guest))
          const { errors } = (await cleaned({ vms: [{ name: guest }], errors: [`${a} ${guest} ${b}`] })) as {
            errors: string[]
          }
          expect(errors[0]!.toLowerCase()).not.toContain(guest.toLowerCase())
        },
      ),
      { numRuns: 300 },
    )
  })

  test('[S15] hostile texts are read to their end', async () => {
    const parts = [
      'a',
      ':',
      '/a',
      'a.',
      '@',
      '0:',
      'a-',
      '%',
      '.',
      'a+',
      '%.',
      '://',
      'a://',
      'a@a.',
      '[',
      '\\',
    ]
    const { errors } = (await cleaned({
      vms: [{ name: 'canary-guest' }],
      errors: parts.map((part) => `${part.repeat(30_000)} canary-guest`),
    })) as { errors: string[] }
    expect(errors).toHaveLength(parts.length)
    expect(errors.join()).not.toContain('canary')
  })

  test('a scheme, an account or an address without end is found as well', async () => {
    const long = 'x'.repeat(5_000)
    const texts = [`${long}://secret.example/path`, `${long}@secret-realm`, `a@${long}`, `https://${long}`]
    const { errors } = (await cleaned({ errors: texts })) as { errors: string[] }
    expect(errors.join()).not.toMatch(/secret|x{100}/)
  })
})
