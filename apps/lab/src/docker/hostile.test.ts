import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hostileAgents } from './hostile.ts'
import { noon } from './fixtures.ts'

const count = 1_500
const aFleet = (seed = 1) => hostileAgents({ seed, atMs: noon })

/** The decompressed content; undefined if it is not JSON. */
function read({ headers, body }: { headers: Record<string, string>; body: Buffer }): unknown {
  try {
    const maxOutputLength = 16 * 1024 * 1024
    const { 'Content-Encoding': encoding } = headers
    if (encoding !== undefined && encoding !== 'gzip') return undefined
    return JSON.parse((encoding ? gunzipSync(body, { maxOutputLength }) : body).toString()) as unknown
  } catch {
    return undefined
  }
}

test('the same seed gives the same reports, byte by byte; another seed others', () => {
  const bodies = (seed: number) =>
    [...aFleet(seed).reports(60)].map(({ name, body }) => [name, body.toString('base64')])
  expect(bodies(3)).toEqual(bodies(3))
  expect(bodies(3)).not.toEqual(bodies(4))
})

test('all kinds occur, most of them can be parsed, and those that must be refused are not reports', () => {
  const names = new Set<string>()
  let readable = 0
  for (const report of aFleet().reports(count)) {
    names.add(report.name.split(' #')[0]!)
    const value = read(report) as { host?: { hostname?: unknown }; containers?: unknown } | null | undefined
    if (value !== undefined) readable++
    if (!report.mustBeRefused) continue
    const isReport =
      typeof value?.host?.hostname === 'string' && Array.isArray(value.containers) && report.body.length < 4e6
    expect(isReport, report.name).toBe(false)
  }
  expect([...names].toSorted()).toEqual([
    'a wrong text',
    'bent',
    'bent and packed',
    'of another host',
    'wrong bytes',
  ])
  expect(readable).toBeGreaterThan(count * 0.7)
})

test('only reports that claim to be the other host name it', () => {
  const { other, reports } = aFleet()
  const ids = [other.agent.id, other.host.machineId]
  let claims = 0
  for (const report of reports(400)) {
    const value = read(report) as {
      agent?: { id?: unknown }
      host?: { machineId?: unknown; hostname?: unknown }
    } | null
    const said = [value?.agent?.id, value?.host?.machineId].map((id) =>
      typeof id === 'string' ? id.trim() : id,
    )
    const namesOther = ids.some((id) => said.includes(id)) || value?.host?.hostname === other.host.hostname
    expect(namesOther, report.name).toBe(report.claimsOther)
    if (report.claimsOther) claims++
  }
  expect(claims).toBeGreaterThan(10)
})

test('large ones are few: ten thousand are sent in the time of a test', () => {
  let bytes = 0
  for (const { body } of aFleet().reports(count)) bytes += body.length
  expect(bytes / count).toBeLessThan(150_000)
})
