import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAsker, tokenHeader } from '../../fixtures-asking.ts'
import type { Asker } from '../../fixtures-asking.ts'
import type { Lab } from '../../lab.ts'
import { startLab } from '../../lab.ts'
import { routes } from '../routes.ts'
import { haveFixtures, officialParameters, officialReturns } from './fixtures.ts'
import { validate } from './fixtures-validate.ts'

const versions = [
  { version: '7', schema: '7.4-16' },
  { version: '8', schema: '8.4.5' },
  { version: '9', schema: '9.2.3' },
] as const

/** Places where the documentation is stricter than the answers of PVE. */
const exceptions: readonly { path: string; problem: RegExp; reason: string }[] = [
  {
    path: '/nodes/{node}/disks/list',
    problem: /^\[\]\.mounted is missing/,
    reason: 'documented as always there; recorded answers have it for mounted disks only',
  },
  {
    path: '/nodes/{node}/disks/list',
    problem: /^\[\]\.osdid-list is no array: null/,
    reason: 'recorded as null for disks without OSD',
  },
  {
    path: '/nodes/{node}/storage/{storage}/content',
    problem: /^\[\]\.size is missing/,
    reason: 'a backup that is still being written has no size',
  },
  {
    path: '/nodes/{node}/lxc/{vmid}/interfaces',
    problem: /^ is no array: null/,
    reason: 'a stopped container answers null',
  },
]

/** Documented, but not simulated by the lab. */
const notPlayed = [
  '/cluster/backup/{id}/included_volumes',
  '/cluster/ceph/flags',
  '/cluster/ceph/metadata',
  '/cluster/metrics/export',
  '/nodes/{node}/apt/update',
]

/** Ceph is not installed. */
const neverAnswered = /\/ceph\//

if (!haveFixtures) console.log('skipped: no ../shared/fixtures')

describe.skipIf(!haveFixtures)('answers follow the official schema', () => {
  for (const { version, schema } of versions) {
    describe(`PVE ${version}`, () => {
      let lab: Lab
      let asker: Asker
      beforeAll(async () => {
        lab = await startLab({ version, authDelayMs: 0, agentHangMs: 0, loadPeriodMs: 0 })
        asker = createAsker(tokenHeader(lab.credentials))
      })
      afterAll(async () => {
        asker.close()
        await lab.close()
      })

      const official = officialReturns(schema)
      const played = routes.filter(
        ({ path, method, since = 7 }) => !method && official.has(path) && since <= Number(version),
      )

      test.each(played)('$path', async ({ path }) => {
        const answers = await Promise.all(callsFor(lab, path).map((call) => asker.ask(urlOf(lab), call)))
        const answered = answers.filter(({ status }) => status === 200)
        expect(answers.filter(({ status }) => ![200, 500].includes(status)).map(({ text }) => text)).toEqual(
          [],
        )
        expect(answered.length > 0).toBe(!neverAnswered.test(path))
        const problems = answered.flatMap(({ data }) => validate(official.get(path)!, data))
        const excused = exceptions.filter((exception) => exception.path === path)
        const left = problems.filter(
          (problem) => !excused.some((exception) => exception.problem.test(problem)),
        )
        expect([...new Set(left)]).toEqual([])
      })

      test('every documented path is played or named as left out', () => {
        const known = new Set(routes.map(({ path }) => path))
        const missing = [...official.keys()].filter((path) => !known.has(path))
        expect(missing.filter((path) => !notPlayed.includes(path))).toEqual([])
      })

      test('every documented parameter is known, and no other', () => {
        const documented = officialParameters(schema)
        for (const { path, query } of played) {
          const rules = typeof query === 'function' ? query(Number(version) as 7 | 8 | 9) : (query ?? {})
          const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
          expect({ path, names: [...inPath, ...Object.keys(rules)].sort() }).toEqual({
            path,
            names: documented.get(path)!.toSorted(),
          })
        }
      })
    })
  }
})

const urlOf = (lab: Lab): string => lab.clusters[0]!.nodes[0]!.url

/** Every node, guest, storage, pool and disk that fits the path. */
function callsFor(lab: Lab, path: string): string[] {
  const nodes = lab.clusters[0]!.nodes.map(({ name }) => name)
  const kind = path.includes('/qemu/') ? 'qemu' : 'lxc'
  if (path.includes('{id}')) {
    const guests = lab.control.guests()
    return guests.map(({ node, vmid }) => path.replace('{node}', node).replace('{id}', `${vmid}-0`))
  }
  const resolved = path.includes('{vmid}')
    ? lab.control
        .guests()
        .filter((guest) => guest.kind === kind)
        .map(({ node, vmid }) => path.replace('{node}', node).replace('{vmid}', String(vmid)))
    : nodes.map((node) => path.replace('{node}', node))
  const storages = [
    'local',
    'local-zfs',
    'local-lvm',
    'nas-vm',
    'nas-backup',
    'pbs-main',
    'usb-disk',
    'scratch',
  ]
  const named = resolved.flatMap((call) => storages.map((name) => call.replace('{storage}', name)))
  const pooled = named.flatMap((call) => ['rpool', 'tank'].map((name) => call.replace('{name}', name)))
  const calls = [...new Set(pooled)]
  if (path.endsWith('/rrddata'))
    return calls.flatMap((call) => ['hour', 'year'].map((frame) => `${call}?timeframe=${frame}`))
  if (path.endsWith('/smart'))
    return calls.flatMap((call) => ['nvme0n1', 'sda', 'sde'].map((disk) => `${call}?disk=/dev/${disk}`))
  return calls
}
